// Accesses of vtable pointers are checked only where the runtime asks for it; a store only if it changes the pointer.
// RUN: %clangxx -target aarch64-linux-gnu -O1 -fno-exceptions -S -emit-llvm %s -o - | FileCheck %s

struct Shape {
  virtual int area();
  virtual ~Shape();
};

// CHECK-LABEL: define {{.*}}@_Z4areaP5Shape(
// CHECK:       %isosan.vtable_pointers = load i64
// CHECK-NEXT:  [[ASKED:%.*]] = icmp {{(ne|eq)}} i64 %isosan.vtable_pointers, 0
// CHECK-NEXT:  br i1 [[ASKED]]
// CHECK:       call {{.*}}@isosan.check.read.8(ptr {{.*}}%shape, ptr {{.*}}@isosan.sites
// CHECK:       load ptr, ptr %shape
// CHECK:       ret i32
int area(Shape* shape) { return shape->area() + 1; }

void gone(Shape* shape);

// CHECK-LABEL: define {{.*}}@_ZN5ShapeD2Ev(
// CHECK:       %isosan.vtable_pointers = load i64
// CHECK:       [[HELD:%.*]] = load ptr, ptr %this
// CHECK-NEXT:  [[KNOWN:%.*]] = freeze ptr [[HELD]]
// CHECK-NEXT:  icmp {{(ne|eq)}} ptr [[KNOWN]], {{.*}}@_ZTV5Shape
// CHECK:       call {{.*}}@isosan.check.write.8(ptr {{.*}}%this, ptr {{.*}}@isosan.sites
// CHECK:       store ptr {{.*}}@_ZTV5Shape{{.*}}, ptr %this
// CHECK:       ret void
Shape::~Shape() { gone(this); }
