#include "runtime/front/intercept/objects.h"

#include "runtime/front/intercept/intercept.h"
#include "runtime/front/modules.h"
#include "runtime/ownership/access.h"
#include "runtime/schedule/schedule.h"
#include "runtime/sync/sync.h"

namespace isosan::rt {

void object_changes(const volatile void* object, std::uint64_t place) {
  Thread* t = observed();
  if (t == nullptr) return;
  forget_object(address_of(object));
  if (g_mode.writes_object == nullptr || !is_of_program(place)) return;
  RuntimeScope scope(t);
  PointsOff points_off(*t);
  g_mode.writes_object(address_of(object));
  slow_write(*t, address_of(object), 1, place);
}

}  // namespace isosan::rt

using namespace isosan::rt;

#define CHANGES(result, name, parameters, arguments) \
  ISOSAN_EXPORT result name parameters {             \
    object_changes(object, ISOSAN_CALLER);           \
    return real.name arguments;                      \
  }
ISOSAN_INTERCEPTED_OBJECTS(CHANGES)
