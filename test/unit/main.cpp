// SPDX-License-Identifier: MIT
// Runs all test cases and ends with one line, "N passed, N failed". On the way
// in, before anything has touched the wheel, it takes down how the wheel started.
#ifdef TICKWHEEL_TEST_HOST
#define DOCTEST_CONFIG_IMPLEMENT
#endif

#include "before_main.hpp"
#include "unit_test.hpp"

#ifdef TICKWHEEL_TEST_HOST

namespace
{

// doctest's own summary counts more than is asked of it; this one is what scripts read.
struct last_line : doctest::IReporter {
    explicit last_line(const doctest::ContextOptions & /*options*/)
    {
    }
    void report_query(const doctest::QueryData & /*data*/) override
    {
    }
    void test_run_start() override
    {
    }
    void test_run_end(const doctest::TestRunStats &stats) override
    {
        passed = stats.numTestCasesPassingFilters - stats.numTestCasesFailed;
        failed = stats.numTestCasesFailed;
    }
    void test_case_start(const doctest::TestCaseData & /*data*/) override
    {
    }
    void test_case_reenter(const doctest::TestCaseData & /*data*/) override
    {
    }
    void test_case_end(const doctest::CurrentTestCaseStats & /*stats*/) override
    {
    }
    void test_case_exception(const doctest::TestCaseException & /*exception*/) override
    {
    }
    void subcase_start(const doctest::SubcaseSignature & /*signature*/) override
    {
    }
    void subcase_end() override
    {
    }
    void log_assert(const doctest::AssertData & /*data*/) override
    {
    }
    void log_message(const doctest::MessageData & /*data*/) override
    {
    }
    void test_case_skipped(const doctest::TestCaseData & /*data*/) override
    {
    }

    static inline unsigned passed = 0;
    static inline unsigned failed = 0;
};

DOCTEST_REGISTER_LISTENER("last_line", 1, last_line);

} // namespace

int main(int count, char **arguments)
{
    unit::look_before_main();
    doctest::Context context(count, arguments);
    const int status = context.run();
    if (!context.shouldExit()) {
        printf("%u passed, %u failed\n", last_line::passed, last_line::failed);
    }
    return status;
}

#else

#include "../../boards/board.hpp"

// GNU ld makes these two for every section whose name is a C identifier, and thereby keeps the section.
extern "C" const unit::test_case __start_unit_tests[];
extern "C" const unit::test_case __stop_unit_tests[];

namespace
{

const unit::test_case *running;
bool running_failed;
unsigned passed_cases;
unsigned failed_cases;

void print_decimal(unsigned value)
{
    if (value >= 10) {
        print_decimal(value / 10);
    }
    board::console_put(static_cast<char>('0' + value % 10));
}

[[noreturn]] void finish()
{
    print_decimal(passed_cases);
    unit::print(" passed, ");
    print_decimal(failed_cases);
    unit::print(" failed\n");
    board::exit(failed_cases != 0);
}

} // namespace

namespace unit
{

void print(const char *text)
{
    while (*text != '\0') {
        board::console_put(*text++);
    }
}

// In hexadecimal: 64 bits in decimal would ask libgcc for a division.
void print(unsigned long long value)
{
    print("0x");
    unsigned digits = 1;
    while (digits < 16 && value >> (4 * digits) != 0) {
        ++digits;
    }
    while (digits-- != 0) {
        board::console_put("0123456789abcdef"[value >> (4 * digits) & 15]);
    }
}

void print(long long value)
{
    if (value < 0) {
        print("-");
    }
    const auto bits = static_cast<unsigned long long>(value);
    print(value < 0 ? 0 - bits : bits);
}

void print(const void *value)
{
    print(0ull + reinterpret_cast<uintptr_t>(value));
}

void print(const moment &value)
{
    print("tick ");
    print(value.tick);
    print(" (base ");
    print(value.base);
    print(" + ");
    print(value.delta);
    print(")");
}

void failed(const char *expression, const char *file, int line)
{
    running_failed = true;
    print(file);
    print(":");
    print_decimal(static_cast<unsigned>(line));
    print(": ");
    print(running->name);
    print(": ");
    print(expression);
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
