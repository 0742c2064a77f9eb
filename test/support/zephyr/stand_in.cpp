// SPDX-License-Identifier: MIT
// The locks and drivers of the two kernels.
#include "stand_in.hpp"

namespace
{

stand_in::timer_driver driver_of_list;
stand_in::timer_driver driver_of_wheel;
uint32_t keys;

void tell(stand_in::timer_driver &driver, uint32_t wait)
{
    driver.wait = wait;
    ++driver.told;
    driver.wake_at = wait == UINT32_MAX ? wait : driver.elapsed + wait;
}

} // namespace

extern "C" {

int stand_in_cpu;

decltype(z_add_timeout) list_z_add_timeout;
decltype(z_try_abort_timeout) list_z_try_abort_timeout;
decltype(z_timeout_inflight_superseded) list_z_timeout_inflight_superseded;
decltype(z_timeout_remaining) list_z_timeout_remaining;
decltype(z_timeout_expires) list_z_timeout_expires;
decltype(z_get_next_timeout_expiry) list_z_get_next_timeout_expiry;
decltype(sys_clock_announce) list_sys_clock_announce;
decltype(sys_clock_tick_get) list_sys_clock_tick_get;
decltype(sys_clock_tick_set) list_sys_clock_tick_set;

uint32_t sys_clock_elapsed()
{
    return driver_of_wheel.elapsed;
}

void sys_clock_set_timeout(uint32_t ticks)
{
    tell(driver_of_wheel, ticks);
}

void sys_clock_no_timeout()
{
    tell(driver_of_wheel, UINT32_MAX);
}

uint32_t list_sys_clock_elapsed()
{
    return driver_of_list.elapsed;
}

void list_sys_clock_set_timeout(uint32_t ticks)
{
    tell(driver_of_list, ticks);
}

void list_sys_clock_no_timeout()
{
    tell(driver_of_list, UINT32_MAX);
}

k_spinlock_key_t k_spin_lock(k_spinlock *lock)
{
    stand_in::lock_faults += lock->key != 0;
    stand_in::locks_held += 1;
    lock->key = ++keys;
    return {keys};
}

void k_spin_unlock(k_spinlock *lock, k_spinlock_key_t taken)
{
    stand_in::lock_faults += lock->key == 0 || lock->key != taken.key;
    stand_in::locks_held -= 1;
    lock->key = 0;
    if (stand_in::on_open != nullptr) {
        void (*const interrupt)() = stand_in::on_open;
        stand_in::on_open = nullptr;
        interrupt();
        stand_in::on_open = interrupt;
    }
}
}

namespace stand_in
{

const kernel with_list = {list_z_add_timeout,       list_z_try_abort_timeout, list_z_timeout_inflight_superseded,
                          list_z_timeout_remaining, list_z_timeout_expires,   list_z_get_next_timeout_expiry,
                          list_sys_clock_announce,  list_sys_clock_tick_get,  list_sys_clock_tick_set,
                          &driver_of_list};
const kernel with_wheel = {z_add_timeout,       z_try_abort_timeout, z_timeout_inflight_superseded,
                           z_timeout_remaining, z_timeout_expires,   z_get_next_timeout_expiry,
                           sys_clock_announce,  sys_clock_tick_get,  sys_clock_tick_set,
                           &driver_of_wheel};

unsigned locks_held;
unsigned lock_faults;
void (*on_open)();

} // namespace stand_in
