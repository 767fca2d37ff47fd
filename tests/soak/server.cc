// The server of tests/soak/run: a thread for each connection, accounts behind one lock, a line in and a line out.
//
//   set NAME VALUE   get NAME   move FROM TO AMOUNT   draw NAME AMOUNT   pay NAME AMOUNT
//
// draw is the planted bug: it reads and writes under the lock, but gives it up in between. Steps that the tool does not see
// let one pay come in between the two, once: pay waits for the draw, and the draw for the pay.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

#include "../e2e/steps.h"

class Accounts {
 public:
  void set(const std::string& name, long value) {
    const std::lock_guard lock(mutex_);
    values_[name] = value;
  }

  long get(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = values_.find(name);
    return found == values_.end() ? 0 : found->second;
  }

  long move(const std::string& from, const std::string& to, long amount) {
    const std::lock_guard lock(mutex_);
    values_[from] -= amount;
    return values_[to] += amount;
  }

  long draw(const std::string& name, long amount) {
    const long value = get(name);
    next_step();
    await_step(2);
    set(name, value - amount);
    return value - amount;
  }

  long pay(const std::string& name, long amount) {
    await_step(1);
    const long value = move("the bank", name, amount);
    next_step();
    return value;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, long> values_;
};

static Accounts accounts;

static long answer(const std::string& line) {
  std::istringstream words(line);
  std::string what, name, other;
  long value = 0;
  words >> what >> name;
  if (what == "get") return accounts.get(name);
  if (what == "move") {
    words >> other >> value;
    return accounts.move(name, other, value);
  }
  words >> value;
  if (what == "draw") return accounts.draw(name, value);
  if (what == "pay") return accounts.pay(name, value);
  accounts.set(name, value);
  return value;
}

static void serve(int connection) {
  FILE* stream = fdopen(connection, "r+");
  char line[256];
  while (fgets(line, sizeof line, stream) != nullptr) {
    const std::string text = std::to_string(answer(line)) + "\n";
    if (write(connection, text.data(), text.size()) < 0) break;
  }
  fclose(stream);
}

int main(int, char** arguments) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, arguments[1], sizeof address.sun_path - 1);
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, 64) != 0) {
    perror("soak server");
    return 1;
  }
  while (true) {
    const int connection = accept(listener, nullptr, nullptr);
    if (connection >= 0) std::thread(serve, connection).detach();
  }
}
