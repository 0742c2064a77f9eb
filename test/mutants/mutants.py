# SPDX-License-Identifier: MIT
"""The ways in which the wheel is broken on purpose: a name, a file below core/, a text that stands in it exactly once
(or several), what stands there instead, and the variants of the tests that are asked (the first that fails has killed it)."""

BOTH = ("8-6", "6-4")
SMALL = ("6-4",)
DEBUG = ("8-6-debug",)

WHEEL = "tickwheel/wheel.hpp"
SLOTS = "tickwheel/slots.hpp"
GEOMETRY = "tickwheel/geometry.hpp"
JIFFIES = "tickwheel/jiffies.h"
FACE = "tickwheel.cpp"

MUTANTS = [
    # Order
    ("arming prepends", WHEEL, "lists().append(slot, timer);", "lists().prepend(slot, timer);", BOTH),
    ("a cascade appends", WHEEL, "list.prepend(below, timer);", "list.append(below, timer);", BOTH),
    ("a cascade takes from the head", WHEEL, "timer = list.remove_youngest(slot, oldest);",
     "timer = (list.remove_oldest(slot, oldest), oldest);", BOTH),
    ("an arm for the same expiry queues again", WHEEL, "queue = timer->expires != expires;", "queue = true;", BOTH),
    # Levels and boundaries
    ("the first tick of the next block goes to tv1", WHEEL, "if (distance >= Geometry::tvr_size) {\n            slot",
     "if (distance > Geometry::tvr_size) {\n            slot", BOTH),
    ("one tick too many in a level", GEOMETRY, "if (distance >> here.above().shift != 0) {",
     "if ((distance - 1) >> here.above().shift != 0) {", BOTH),
    ("only tv2 cascades", WHEEL, "if (slot != row.first_slot) {\n                break;", "{\n                break;", BOTH),
    ("every level cascades at every block", WHEEL, "if (slot != row.first_slot) {\n                break;",
     "if (false) {\n                break;", BOTH),
    ("a tick that is overdue in tv2 is placed again as if far away", WHEEL, "if (row.shift != Geometry::tv2().shift) {",
     "if (true) {", BOTH),
    ("beyond the range: always the same slot", GEOMETRY, "tick - distance + (jiffies_t{1} << range_bits)",
     "tick - distance", SMALL),
    ("beyond the range: shortened to the range", GEOMETRY, "if constexpr (here.above().exists()) {",
     "if constexpr (here.above().exists() && !here.above().beyond()) {", SMALL),
    ("a delay that wraps the distance fires at once", WHEEL, "} else if (ahead >= 0 && distance < tomorrow - block) {",
     "} else if (false) {", BOTH),
    # Owed work
    ("the end of the block is not an event", WHEEL, "            slot |= 31;\n        }\n        time.next = block + Geometry::tvr_mask;",
     "            slot |= 31;\n        }\n        time.next = block + Geometry::tvr_size;", BOTH),
    ("the block turns a tick late", WHEEL, "} else if (slot != Geometry::tvr_mask) {", "} else if (slot != 0) {", BOTH),
    ("a budget stop forgets the rest", WHEEL, "time.next = tick;\n", "", BOTH),
    ("a budget of n runs n + 1", WHEEL, "if (ran == budget) {", "if (ran > budget) {", BOTH),
    ("tick always says 1", WHEEL, "return tickwheel_time_after_eq(now, clock().next);", "return 1;", BOTH),
    ("tick says 1 a tick late", WHEEL, "return tickwheel_time_after_eq(now, clock().next);",
     "return tickwheel_time_after(now, clock().next);", BOTH),
    ("an earlier arm does not lower next", WHEEL, "time.next = expires;", "(void)expires;", BOTH),
    ("a run ends at the first tick", WHEEL, "            work = due();\n", "            work = false;\n", BOTH),
    ("a nested run is not refused", WHEEL, "if (list.running != nullptr) {\n            Lock",
     "if (false) {\n            Lock", BOTH),
    # Overdue
    ("a passed expiry is left in its own slot", WHEEL, "expires = tomorrow + static_cast<uint32_t>(owed);", "", BOTH),
    ("overdue is measured from the lagging clock", WHEEL, "ahead = static_cast<int32_t>(expires - tomorrow);",
     "ahead = static_cast<int32_t>(expires - time.next);", BOTH),
    ("an overdue arm joins the tick that is being run", WHEEL, "time.next = tick + 1;\n", "", BOTH),
    ("overdue is always the next tick", WHEEL, "if (owed > 0) {", "if (true) {", BOTH),
    # Jumps
    ("a jump passes the next cascade", WHEEL, "return empty < counted ? empty : counted;", "return counted;", BOTH),
    ("steps around a row begin a slot too late", SLOTS, "unsigned found = occupied(slot + 1, row.end());",
     "unsigned found = occupied(slot + 2, row.end());", BOTH),
    ("a jump ignores what was armed during its search", WHEEL,
     "if (lists().changed_by != token) {\n            return Geometry::tvr_size;",
     "if (false) {\n            return Geometry::tvr_size;", BOTH),
    # next_expiry
    ("next_expiry does not look again after a change", WHEEL,
     ("if (seen != look::overtaken && unchanged(&token)) {", "if (lists().changed_by != best.token) {"),
     ("if (seen != look::overtaken) {", "if (false) {"), BOTH),
    ("next_expiry looks only at tv1", WHEEL, "row.exists() && seen != look::overtaken;",
     "row.exists() && false;", BOTH),
    ("steps around a row leave out the slot itself", SLOTS, "found = occupied(row.first_slot, slot + 1);\n            if (found > slot) {",
     "found = occupied(row.first_slot, slot + 1);\n            if (found >= slot) {", BOTH),
    ("next_expiry ignores a cascade under way", WHEEL, "const bool at_start = best.block >> row.shift << row.shift == best.block;",
     "const bool at_start = false;", BOTH),
    ("next_expiry takes the first of a slot", WHEEL, "if (distance <= best.distance) {",
     "if (seen == look::nothing) {", BOTH),
    ("next_expiry minds deferrable timers", WHEEL, "if (!deferrable) {", "if (true) {", BOTH),
    ("next_expiry stops at a slot of deferrable timers", WHEEL,
     "if (more == 0 || steps + at_start > row.size()) {",
     "if (true) {", BOTH),
    ("next_expiry gives up with a tick after the one that is run", WHEEL, "clock().next - (lists().running != nullptr ? 1 : 0)",
     "clock().next", BOTH),
    ("next_expiry looks at one of the slots beyond the range", WHEEL, "(seen == look::something && !row.beyond())", "seen == look::something",
     SMALL),
    ("find_next does not see what was armed in its window", WHEEL, "if (time.next != block + slot) {", "if (false) {", BOTH),
    ("a turn of the block does not look for what was armed meanwhile", WHEEL, "if (lists().changed_by == &token) {\n            lists()",
     "if (true) {\n            lists()", BOTH),
    # Lists
    ("unlinking the youngest leaves the oldest pointing at it", SLOTS,
     "(younger != nullptr ? younger : first[timer->slot])->prev = older;",
     "if (younger != nullptr) {\n                younger->prev = older;\n            }", BOTH),
    ("unlinking leaves a timer pending", SLOTS, "        unlink(timer);\n        timer->prev = nullptr;",
     "        unlink(timer);", BOTH),
    ("taking the oldest loses the youngest", SLOTS, "younger->prev = oldest->prev;", "younger->prev = younger;", BOTH),
    ("an occupied slot is not marked", SLOTS, "map[slot / 32] |= bit(slot);", "(void)bit(slot);", BOTH),
    ("an unlinking is not noted", SLOTS, "        timer->prev = nullptr;\n        changed_by = timer;", "        timer->prev = nullptr;", BOTH),
    # Cancel and callbacks
    ("try_to_del is never -1", WHEEL, "return lists().running == timer ? -1 : timer_delete(timer);",
     "return timer_delete(timer);", BOTH),
    ("the function is read after the lock was left", WHEEL, "                function(timer);\n",
     "                (void)function;\n                timer->function(timer);\n", BOTH),
    ("a callback counts as running until the next one", WHEEL,
     "                (void)Lock::irq_save();\n                list.running = list.runner_mark();\n",
     "                (void)Lock::irq_save();\n", BOTH),
    ("a callback runs with the lock held", WHEEL,
     "                Lock::irq_restore(irq);\n                function(timer);\n                ++ran;\n                (void)Lock::irq_save();\n",
     "                function(timer);\n                ++ran;\n", BOTH),
    ("the refusal of a nested run keeps the lock", WHEEL,
     "            Lock::irq_restore(irq);\n            return 0;\n        }\n        list.running",
     "            return 0;\n        }\n        list.running", BOTH),
    ("a timer that is shut down is armed", WHEEL, "bool queue = timer->set_up;", "bool queue = true;", BOTH),
    ("mod_timer_pending arms an idle timer", WHEEL, "if (!pending(timer)) {\n            Lock::irq_restore(irq);\n            return 0;",
     "if (false) {\n            Lock::irq_restore(irq);\n            return 0;", BOTH),
    ("timer_reduce moves to a later tick", WHEEL, "!tickwheel_time_before(expires, timer->expires)",
     "!tickwheel_time_after(expires, timer->expires)", BOTH),
    ("misuse of add_timer is not reported", WHEEL, "            if (TICKWHEEL_DEBUG) {\n                tickwheel_bug(\"tickwheel_add_timer",
     "            if (false) {\n                tickwheel_bug(\"tickwheel_add_timer", DEBUG),
    ("setting up a pending timer is not refused", FACE, "if (wheel.holds(timer)) {", "if (false) {", DEBUG),
    # Time
    ("half-wraps are not counted", WHEEL, "time.half_wraps = time.half_wraps + 1;", "", BOTH),
    ("the 64-bit clock trusts the count alone", WHEEL, "(half_wraps + ((half_wraps ^ tomorrow >> 31) & 1)) >> 1",
     "half_wraps >> 1", BOTH),
    ("time_after counts equal as after", JIFFIES, "return (b - a) >> 31 != 0;", "return (b - a - 1) >> 31 != 0;", BOTH),
]
