// A crawler after hedc: a pool of workers asks several archives for records that match a query and files what comes back;
// an answer takes its time (it is computed). Each request is a task that works on its own pages.
#include <map>
#include <string>

#include "tasks.h"

class Archive {  // only read after it was filled
 public:
  explicit Archive(int seed) {
    Random random(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < 2000; ++i) {
      std::string page = "observation " + std::to_string(random.next() % 100000);
      for (int k = 0; k < 6; ++k) page += " " + std::to_string(random.next() % 1000);
      pages_.push_back(page);
    }
  }
  const std::vector<std::string>& pages() const { return pages_; }

 private:
  std::vector<std::string> pages_;
};

class Request {
 public:
  Request(const Archive& archive, std::string query) : archive_(&archive), query_(std::move(query)) {}
  void run_task() {
    for (const std::string& page : archive_->pages()) {
      if (page.find(query_) == std::string::npos) continue;
      ++hits_[page.substr(0, page.find(' ', 12))];
    }
  }
  std::size_t hits() const { return hits_.size(); }

 private:
  const Archive* archive_;
  std::string query_;
  std::map<std::string, int> hits_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  std::vector<Archive> archives;
  for (int i = 0; i < 4; ++i) archives.emplace_back(i);
  std::vector<Request> requests;
  for (int i = 0; i < 100 * arguments.scale; ++i)
    requests.emplace_back(archives[static_cast<std::size_t>(i) % 4], std::to_string(100 + i % 50 * 7));
  WorkQueue queue(arguments.threads);
  for (Request& request : requests) queue.submit([&request] { request.run_task(); });
  queue.finish();
  std::size_t hits = 0;
  bool same = true;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    hits += requests[i].hits();
    if (i >= 100) same = same && requests[i].hits() == requests[i - 100].hits();
  }
  return finish(same && hits > 0, "hedc", static_cast<double>(hits));
}
