// SPDX-License-Identifier: MIT
// Runs all test cases and ends with one line, "N passed, N failed". On the way
// in, before anything has touched the wheel, it takes down how the wheel started.
#ifdef TICKWHEEL_TEST_HOST
#define DOCTEST_CONFIG_IMPLEMENT
#endif

#include "unit_test.hpp"

#ifdef TICKWHEEL_TEST_HOST

namespace
{

// The console report, and after it the line that scripts read.
struct with_last_line : doctest::ConsoleReporter {
    using ConsoleReporter::ConsoleReporter;
    void test_run_end(const doctest::TestRunStats &stats) override
    {
        ConsoleReporter::test_run_end(stats);
        if (!opt.no_run) {
            const unsigned failed = stats.numTestCasesFailed;
            printf("%u passed, %u failed\n", stats.numTestCasesPassingFilters - failed, failed);
        }
    }
};

DOCTEST_REGISTER_REPORTER("with_last_line", 0, with_last_line);

} // namespace

int main(int count, char **arguments)
{
    unit::look_before_main();
    doctest::Context context;
    context.setOption("reporters", "with_last_line");
    context.applyCommandLine(count, arguments);
    return context.run();
}

#else

// GNU ld makes these two for every section whose name is a C identifier, and thereby keeps the section.
extern "C" const unit::test_case __start_unit_tests[];
extern "C" const unit::test_case __stop_unit_tests[];

namespace
{

const unit::test_case *running;
bool running_failed;
unsigned passed_cases;
unsigned failed_cases;

[[noreturn]] void finish()
{
    print(passed_cases, " passed, ", failed_cases, " failed\n");
    board::exit(failed_cases != 0);
}

} // namespace

namespace unit
{

void failed(const char *expression, const char *file, int line)
{
    running_failed = true;
    print(file, ":", static_cast<unsigned>(line), ": ", running->name, ": ", expression);
}

void give_up()
{
    ++failed_cases;
    finish();
}

} // namespace unit

int main()
{
    (void)board::init();
    unit::look_before_main();
    for (running = __start_unit_tests; running != __stop_unit_tests; ++running) {
        running_failed = false;
        running->body();
        ++(running_failed ? failed_cases : passed_cases);
    }
    finish();
}

#endif
