// What most programs of this folder include, precompiled by the tests: two thirds of their compile time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
