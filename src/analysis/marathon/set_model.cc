#include "analysis/marathon/set_model.h"

#include <algorithm>
#include <iterator>

namespace isosan::marathon {
namespace {

std::string_view scope_of(std::string_view name) {
  const std::size_t at = name.rfind("::");
  return at == std::string_view::npos ? std::string_view{} : name.substr(0, at);
}

}  // namespace

// ---- objects ------------------------------------------------------------------------------------

const Symbol* SetModel::symbol_around(Address address) const {
  const auto after =
      std::upper_bound(tables_.symbols.begin(), tables_.symbols.end(), address,
                       [](Address a, const Symbol& symbol) { return a < symbol.address; });
  if (after == tables_.symbols.begin()) return nullptr;
  const Symbol& symbol = *std::prev(after);
  return address < symbol.address + symbol.size ? &symbol : nullptr;
}

std::uint64_t SetModel::size_of(NameId class_name) {
  for (; classes_read_ < tables_.classes.size(); ++classes_read_) {
    const Class& c = tables_.classes[classes_read_];
    const auto [known, is_new] = class_sizes_.try_emplace(names_.id_of(c.name), c.size);
    if (!is_new && known->second != c.size) known->second = 0;
  }
  const auto found = class_sizes_.find(class_name);
  return found == class_sizes_.end() ? 0 : found->second;
}

// For an object that was first touched when its class was not known.
void SetModel::name(MemoryObject& object, NameId class_name) {
  object.class_name = class_name;
  if (object.set == kNoSet) return;
  AtomicSet& set = sets_[static_cast<std::size_t>(object.set)];
  if (set.name == kNoName) set.name = class_name;
}

// The object that contains these bytes, added if it is new.
SetModel::Iterator SetModel::object_for(Address base, std::uint64_t size, NameId class_name,
                                        Iterator known) {
  if (known != objects_.end()) {
    MemoryObject& object = *known->second;
    if (known->first == base) {
      if (object.class_name == kNoName) name(object, class_name);
      if (!object.on_heap && object.end < base + size) {
        object.end = base + size;
        return absorb_inner(known);
      }
    }
    return known;
  }
  MemoryObject object{.class_name = class_name};
  if (const Symbol* symbol = symbol_around(base)) {
    base = symbol->address;
    object.end = symbol->address + symbol->size;
    if (class_name == kNoName) object.class_name = names_.id_of(symbol->name);
  } else {
    object.end = base + std::max<std::uint64_t>(1, size);
  }
  return absorb_inner(objects_.put(base, object));
}

// Objects found earlier inside this one become part of it. Those that only overlap it do not.
SetModel::Iterator SetModel::absorb_inner(Iterator object) {
  const Address begin = object->first;
  for (;;) {
    const auto inner = std::next(object);
    MemoryObject& outer = *object->second;
    if (inner == objects_.end() || inner->first >= outer.end) return object;
    if (inner->second->on_heap || inner->second->end > outer.end) {
      outer.end = inner->first;
      return object;
    }
    if (inner->second->set != kNoSet) merge(inner->second->set, set_of_root(object));
    if (inner->second->cached) ++version_;
    objects_.erase(inner);
    object = objects_.find(begin);  // the btree may have moved it
  }
}

SetModel::Iterator SetModel::root_of(Iterator object) {
  while (object->second->owner != 0) {
    const auto owner = objects_.around(object->second->owner);
    if (owner == objects_.end() || owner == object) break;
    object = owner;
  }
  return object;
}

void SetModel::allocate(const MemoryOperation& e, Address owner, Address maker) {
  forget(e.address, e.size);
  if (e.origin != MemoryOrigin::kHeap) return;
  const auto begin_of = [&](Address address) -> Address {
    const auto object = address == 0 ? objects_.end() : objects_.around(address);
    return object == objects_.end() ? 0 : root_of(object)->first;
  };
  objects_.put(e.address, {.end = e.address + e.size,
                           .owner = begin_of(owner),
                           .maker = begin_of(maker),
                           .allocated = e.where,
                           .on_heap = true});
}

// Objects that lie in these bytes as a whole; one that loses only some of its bytes stays.
void SetModel::forget(Address address, std::uint64_t size) {
  const Address end = address + size;
  for (auto object = objects_.at_or_after(address);
       object != objects_.end() && object->first < end;) {
    if (object->second->end > end) {
      ++object;
      continue;
    }
    if (object->second->cached) ++version_;
    kill(object->second->set);
    object = objects_.erase(object);
  }
}

void SetModel::construct(Address object, NameId class_name, std::uint64_t class_size) {
  const auto found = object_for(object, class_size, class_name);
  if (found->first != object || found->second->set == kNoSet) return;
  const bool on_stack = !found->second->on_heap && symbol_around(object) == nullptr;
  if (on_stack && class_size != 0) found->second->end = object + class_size;
  kill(found->second->set);
  found->second->set = kNoSet;
  found->second->class_name = class_name;
}

bool SetModel::is_part_of(Address part, Address root) {
  const auto object = part == 0 ? objects_.end() : objects_.around(part);
  return object != objects_.end() && root_of(object)->first == root;
}

bool SetModel::adopt(SetId set, const Access& access, Address keeper, Address user,
                     NameId user_class, std::uint64_t class_size) {
  const auto object = objects_.find(at(find(set)).object);
  if (object == objects_.end()) return false;
  const bool may_be_kept = keeper != 0 && object->second->on_heap &&
                           access.address >= object->first && access.address < object->second->end;
  if (object->second->maker == 0 && !may_be_kept) return false;
  const Address used = object->first;
  const auto owner = root_of(object_for(user, class_size, user_class));
  const auto adopted = objects_.find(used);  // object_for() may have moved it
  if (owner == adopted) return false;
  const bool keeps =
      may_be_kept && is_part_of(keeper, owner->first) && !is_part_of(owner->second->maker, used);
  if (!keeps && !is_part_of(adopted->second->maker, owner->first)) return false;
  adopted->second->owner = owner->first;
  const SetId into = set_of_root(owner);
  if (adopted->second->set != kNoSet) merge(adopted->second->set, into);
  return true;
}

// ---- sets ---------------------------------------------------------------------------------------

SetId SetModel::new_set(const AtomicSet& set, bool named) {
  sets_.push_back(set);
  states_.push_back({.named = named});
  return static_cast<SetId>(sets_.size() - 1);
}

void SetModel::merge(SetId from, SetId into) {
  from = find(from);
  into = find(into);
  if (from == into) return;
  states_[static_cast<std::size_t>(from)].merged_into = into;
  merged_.push_back(from);
}

void SetModel::kill(SetId set) {
  if (set != kNoSet) states_[static_cast<std::size_t>(set)].dead = true;
}

void SetModel::touch(SetId id, ThreadId thread) {
  SetState& set = states_[static_cast<std::size_t>(id)];
  if (!set.touched) {
    set.touched = true;
    set.first_thread = thread;
  } else if (set.first_thread != thread) {
    set.shared = true;
  }
}

SetId SetModel::set_of_root(Iterator object) {
  const auto root = root_of(object);
  if (!current(root->second->set)) {  // none yet, or that of an owner that is gone
    root->second->set =
        new_set({.name = root->second->class_name == kNoName ? object->second->class_name
                                                             : root->second->class_name,
                 .object = root->first,
                 .allocated = root->second->allocated,
                 .on_heap = root->second->on_heap});
  }
  return root->second->set;
}

SetId SetModel::look_up(Address object, NameId class_name, std::uint64_t class_size,
                        CachedObject& cached) {
  const auto found = object_for(object, class_size, class_name);
  found->second->cached = true;
  const SetId set = set_of_root(found);
  cached = {object, set, version_};
  return find(set);
}

SetId SetModel::set_of_class(NameId class_name) {
  SetId& set = class_sets_[class_name];
  if (set == kNoSet) set = new_set({.name = names_.id_of(names_[class_name] + " (static)")});
  return set;
}

bool SetModel::has_statics(NameId class_name) {
  if (symbols_read_ != tables_.symbols.size()) {
    for (const Symbol& symbol : tables_.symbols)
      scopes_.insert(names_.id_of(scope_of(symbol.name)));
    symbols_read_ = tables_.symbols.size();
  }
  return scopes_.contains(class_name);
}

// "C::x" is a static member if C has member functions; otherwise C is a namespace.
SetId SetModel::static_set_around(Address address) {
  const Symbol* symbol = symbol_around(address);
  if (symbol == nullptr) return kNoSet;
  const auto [place, is_new] = static_members_.try_emplace(symbol->address, kNoSet);
  if (!is_new) return place->second;
  const std::string scope(scope_of(symbol->name));
  const bool is_class =
      !scope.empty() &&
      std::any_of(tables_.functions.begin(), tables_.functions.end(),
                  [&](const Function& function) { return function.class_name == scope; });
  if (!is_class) return kNoSet;
  const SetId set = set_of_class(names_.id_of(scope));
  described_[name_of(set)].fields.insert(symbol->name);
  return place->second = set;
}

SetId SetModel::set_across(const std::string& name) {
  SetId& set = named_sets_[{0, name}];
  if (set == kNoSet) set = new_set({.name = names_.id_of(name)}, /*named=*/true);
  return set;
}

std::vector<SetId> SetModel::sets_across(const std::string& class_name) {
  std::vector<SetId> sets;
  for (const auto& [field, named] : book_.rules().fields) {
    if (field.first == class_name && named.across_objects) sets.push_back(set_across(named.name));
  }
  return sets;
}

SetId SetModel::named_set(const NamedSet& named, Address base, NameId class_name) {
  if (named.across_objects) return set_across(named.name);
  const auto root = root_of(object_for(base, 1, class_name));
  const SetId within = set_of_root(root);
  SetId& set = named_sets_[{root->first, named.name}];
  if (!current(set) || at(set).within != within) {
    set = new_set({.name = names_.id_of(named.name),
                   .within = within,
                   .object = root->first,
                   .allocated = root->second->allocated,
                   .on_heap = root->second->on_heap},
                  /*named=*/true);
  }
  return set;
}

// ---- accesses -----------------------------------------------------------------------------------

SetModel::SiteFacts& SetModel::facts_of(SiteId id) {
  if (index(id) >= facts_.size()) facts_.resize(tables_.sites.size());
  SiteFacts& facts = facts_[index(id)];
  if (facts.known) return facts;
  const Site& site = tables_.sites[index(id)];
  facts = {.known = true,
           .class_name = names_.id_of(site.class_name),
           .field_offset = site.class_name.empty() ? 0 : site.field_offset};
  const SetRules& rules = book_.rules();
  const auto rule = rules.fields.find({site.class_name, site.field});
  if (rule != rules.fields.end()) facts.rule = &rule->second;
  return facts;
}

void SetModel::describe_field(SetId set, const Access& access) {
  SiteFacts& facts = facts_of(access.where.site);
  facts.described = set;
  const NameId name = at(set).name;
  if (facts.described_in == name || name == kNoName) return;
  facts.described_in = name;
  const Site& site = tables_.sites[index(access.where.site)];
  if (!site.field.empty()) {
    described_[names_[name]].fields.insert(site.class_name + "::" + site.field);
  } else if (const Symbol* symbol = symbol_around(access.address)) {
    described_[names_[name]].fields.insert(symbol->name);
  }
}

// With sets named by the user, the set depends on the accessing site: no range around is given.
SetRange SetModel::set_at(const Access& access) {
  SiteFacts& facts = facts_of(access.where.site);
  const Address base = access.address - facts.field_offset;
  const SetRules& rules = book_.rules();
  if (facts.rule != nullptr) return {named_set(*facts.rule, base, facts.class_name)};
  if (!rules.globals.empty()) {
    const Symbol* symbol = symbol_around(access.address);
    const auto named = symbol == nullptr ? rules.globals.end() : rules.globals.find(symbol->name);
    if (named != rules.globals.end()) return {set_across(named->second)};
  }
  const auto known = objects_.around(base);
  if (known == objects_.end()) {
    const SetId set = static_set_around(base);
    if (set != kNoSet) return {set};
  }
  const std::uint64_t reach = access.address + access.size - base;
  const auto object =
      object_for(base, std::max(reach, size_of(facts.class_name)), facts.class_name, known);
  const SetId set = set_of_root(object);
  if (!rules.fields.empty() || !rules.globals.empty()) return {set};
  return {set, object->first, object->second->end};
}

}  // namespace isosan::marathon
