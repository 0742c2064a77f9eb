// SPDX-License-Identifier: MIT
// The lock and the driver of the system timer.
#include "stand_in.hpp"

namespace stand_in
{

timer_driver driver;
unsigned locks_held;
unsigned lock_faults;
void (*on_open)();

} // namespace stand_in

using namespace stand_in;

static void tell(uint32_t ticks)
{
    driver.wait = ticks;
    ++driver.told;
    driver.wake_at = ticks == UINT32_MAX ? UINT32_MAX : driver.elapsed + ticks;
}

extern "C" {

int stand_in_cpu;

uint32_t sys_clock_elapsed()
{
    const uint32_t ticks = driver.elapsed;
    driver.elapsed += driver.passes;
    return ticks;
}

#ifdef TICKWHEEL_TEST_LIST
void sys_clock_set_timeout(int32_t ticks, bool /*idle*/)
{
    tell(ticks == INT32_MAX ? UINT32_MAX : static_cast<uint32_t>(ticks));
}
#else
void sys_clock_set_timeout(uint32_t ticks)
{
    tell(ticks);
}

void sys_clock_no_timeout()
{
    tell(UINT32_MAX);
}
#endif

k_spinlock_key_t k_spin_lock(k_spinlock *lock)
{
    static uint32_t keys;
    lock_faults += lock->key != 0;
    locks_held += 1;
    lock->key = ++keys;
    return {keys};
}

void k_spin_unlock(k_spinlock *lock, k_spinlock_key_t taken)
{
    lock_faults += lock->key == 0 || lock->key != taken.key;
    locks_held -= 1;
    lock->key = 0;
    if (on_open != nullptr) {
        void (*const interrupt)() = on_open;
        on_open = nullptr;
        interrupt();
        on_open = interrupt;
    }
}
}
