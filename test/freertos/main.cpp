// SPDX-License-Identifier: MIT
// A firmware that starts the scheduler. A task of it runs the test cases.
#include "firmware.hpp"

#if !defined(TICKWHEEL_TEST_HOST)
#include "../../boards/board.hpp"
#endif

unsigned assertions;
bool runs_in_hook;
early before_start;

namespace
{

#if defined(TICKWHEEL_TEST_HOST)
constexpr uint32_t stack_words = 1u << 17;
#else
constexpr uint32_t stack_words = 1024;
#endif
StackType_t stack[stack_words];
StaticTask_t task;

void count_early(TimerHandle_t)
{
    ++before_start.calls;
}

// With one version of the kernel a timer needs the task first, with the other one a pended function.
void need_task()
{
#if STAND_IN_KERNEL == 10
    (void)xTimerPendFunctionCall([](void *, uint32_t) {}, nullptr, 0, 0);
#else
    static StaticTimer_t buffer;
    (void)xTimerCreateStatic("first", 1, pdFALSE, nullptr, count_early, &buffer);
#endif
    before_start.callbacks = tickwheel_freertos_task();
}

} // namespace

namespace unit
{
// The wheel counts from the scheduler's start on. There is nothing to read before that.
void look_before_main()
{
}
} // namespace unit

// test/unit/main.cpp, whose main() the build renames.
#if defined(TICKWHEEL_TEST_HOST)
int unit_main(int count, char **arguments);
static int run_tests()
{
    static char name[] = "freertos";
    static char *arguments[] = {name, nullptr};
    return unit_main(1, arguments);
}
#else
int unit_main();
static int run_tests()
{
    return unit_main();
}
#endif

extern "C" {

void freertos_assert(const char *)
{
    ++assertions;
}

void vApplicationTickHook()
{
    if (runs_in_hook) {
        (void)tickwheel_run();
    }
}

#if TICKWHEEL_DEBUG
void tickwheel_bug(const char *what, const timer_list *)
{
    stand_in::fail(what);
}
#endif
}

int main()
{
    need_task();
    for (unsigned i = 0; i < configTIMER_QUEUE_LENGTH; ++i) {
        static StaticTimer_t buffers[configTIMER_QUEUE_LENGTH];
        before_start.timers[i] = xTimerCreateStatic("early", 1 + i, pdFALSE, nullptr, count_early, &buffers[i]);
        before_start.started[i] = xTimerStart(before_start.timers[i], portMAX_DELAY);
    }
    before_start.one_too_many = xTimerStart(before_start.timers[0], portMAX_DELAY);
    before_start.task = xTaskCreateStatic([](void *) { stand_in::end(run_tests()); }, "tests", stack_words, nullptr,
                                          test_priority, stack, &task);
    vTaskStartScheduler();
    return 1;
}
