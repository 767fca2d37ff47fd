// Annotations of data: fields, globals and parameters go to a table of their own.
// RUN: %clangxx -target aarch64-linux-gnu -g -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -target aarch64-linux-gnu -g -O0 -S -emit-llvm %s -o - | FileCheck %s
#include <isosan/isosan.h>
// CHECK-DAG: c"first\00"
// CHECK-DAG: section "isosan_annotations"
// CHECK-DAG: c"isosan:atomic_set:money\00"
// CHECK-DAG: c"isosan:owned\00"
// CHECK-DAG: c"isosan:assume_guarded\00"
// CHECK-DAG: c"isosan:unitfor\00"
// CHECK-NOT: call ptr @llvm.ptr.annotation
struct Item;
struct Account {
  ISOSAN_ATOMIC_SET(money) long balance;
  ISOSAN_OWNED Item* first;
};
ISOSAN_ASSUME_GUARDED long statistics;
long audit(ISOSAN_UNITFOR Account* account) { return account->balance + (account->first != nullptr) + statistics; }
