# SPDX-License-Identifier: MIT
# The toolchain file of a Cortex-M3 firmware. It does not know tickwheel.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR cortex-m3)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
# CMake cannot link a test program: there is no start-up code yet.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_CXX_FLAGS_INIT "-mcpu=cortex-m3 -mthumb -Os")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
