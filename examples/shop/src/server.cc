// The shop's server: gives a ticket to each customer who knocks (a line on stdin), each by a thread of its own.
#include <cstdio>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "correct.h"
#include "tickets.h"

int main() {
  shop::Tickets tickets;
  shop::Visitors visitors;
  std::vector<int> given(16);
  std::vector<std::thread> customers;
  for (std::string line; customers.size() < given.size() && std::getline(std::cin, line);) {
    int& ticket = given[customers.size()];
    customers.emplace_back([&tickets, &visitors, &ticket] {
      visitors.enter();
      ticket = tickets.take();
    });
  }
  for (std::thread& customer : customers) customer.join();
  for (int i = 0; i < visitors.count(); ++i) std::printf("%d\n", given[i]);
}
