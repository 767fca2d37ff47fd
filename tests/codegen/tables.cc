// Records: qualified names without template arguments, class and accessibility, field by TBAA (-O2) or by
// struct type (-O0), one record per function for the whole linked module, a constructor that announces them.
// RUN: %clangxx -target aarch64-linux-gnu -g -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -target aarch64-linux-gnu -g -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -target x86_64-linux-gnu -g -O2 -c %s -o %t.o
// RUN: llvm-readelf -S %t.o | FileCheck %s --check-prefix=SECTIONS
namespace bank {
namespace {
int hidden(int* p) { return ++*p; }
}  // namespace

template <class T>
class Account {
 public:
  T deposit(T n) {
    balance_ += n;
    return audit(n);
  }

 private:
  T audit(T n) { return last_ += n; }
  long id_ = 0;
  T balance_ = 0;
  T last_ = 0;
};
}  // namespace bank

void other(int*);
int user(bank::Account<int>* a, int* p) {
  auto add = [&](int n) {
    other(p);
    return bank::hidden(p) + n;
  };
  return a->deposit(1) + add(2);
}

// CHECK-DAG: @__isosan_function._ZN4bank7AccountIiE7depositEi = linkonce_odr hidden externally_initialized global {{.*}} i8 0, i8 1, i8 1, i8 0, i32 {{1024|5120}}, i32 16 }, section "isosan_functions", comdat, align 32
// CHECK-DAG: @__isosan_function._ZN4bank7AccountIiE5auditEi = linkonce_odr hidden externally_initialized global {{.*}} i8 0, i8 3, i8 1, i8 0, i32 {{1024|5120}}, i32 16 }, section "isosan_functions", comdat, align 32
// CHECK-DAG: @__isosan_function._ZN4bank12_GLOBAL__N_16hiddenEPi = internal externally_initialized global
// CHECK-DAG: c"bank::Account::deposit\00"
// CHECK-DAG: c"bank::hidden\00"
// CHECK-DAG: c"user::lambda\00"
// CHECK-DAG: c"bank::Account\00"
// CHECK-DAG: c"balance_\00"
// CHECK-DAG: c"last_\00"
// CHECK-DAG: section "isosan_sites"
// CHECK: @llvm.global_ctors = appending global {{.*}} { i32 0, ptr @isosan.module_constructor, ptr @isosan.module_constructor }
// CHECK: define linkonce_odr hidden void @isosan.module_constructor()
// CHECK: call void @__isosan_module(ptr {{.*}}@__start_isosan_functions, ptr {{.*}}@__stop_isosan_functions, ptr {{.*}}@__start_isosan_sites, ptr {{.*}}@__stop_isosan_sites)
// SECTIONS-DAG: isosan_functions PROGBITS {{.*}} WA
// SECTIONS-DAG: isosan_sites {{ *}}PROGBITS {{.*}} WA
