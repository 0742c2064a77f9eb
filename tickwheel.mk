# SPDX-License-Identifier: MIT
# tickwheel for a firmware that make builds:
#   include <path>/tickwheel/tickwheel.mk
# and compile $(TICKWHEEL_SOURCES) with the firmware's own flags and $(TICKWHEEL_CPPFLAGS), which every file that
# includes a header of tickwheel needs as well. These may be set before the include:
#   TICKWHEEL_PORT     a folder of port/, or the absolute path of one's own with tickwheel/port.hpp in it
#   TICKWHEEL_SYSTICK  yes: with the ready-made SysTick and PendSV handlers
#   TICKWHEEL_COUNTER  for one-shot mode: a folder of port/one_shot, or the absolute path of one's own with
#                      tickwheel_counter.hpp in it
# The choices of config.h, port.hpp and systick.h go to TICKWHEEL_CPPFLAGS, before or after the include, or on make's
# command line: TICKWHEEL_CPPFLAGS += -DTICKWHEEL_GEOMETRY=62.
TICKWHEEL_DIR := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
TICKWHEEL_PORT ?= cortex_m
TICKWHEEL_PORT_DIR := $(if $(filter /%,$(TICKWHEEL_PORT)),$(TICKWHEEL_PORT),$(TICKWHEEL_DIR)/port/$(TICKWHEEL_PORT))
ifneq ($(words $(TICKWHEEL_PORT))$(if $(wildcard $(TICKWHEEL_PORT_DIR)/tickwheel/port.hpp),,none),1)
$(error TICKWHEEL_PORT=$(TICKWHEEL_PORT): no $(TICKWHEEL_PORT_DIR)/tickwheel/port.hpp)
endif
ifneq ($(filter-out yes no,$(TICKWHEEL_SYSTICK))$(word 2,$(TICKWHEEL_SYSTICK)),)
$(error TICKWHEEL_SYSTICK=$(TICKWHEEL_SYSTICK): one of yes no)
endif

TICKWHEEL_SOURCES := $(TICKWHEEL_DIR)/core/tickwheel.cpp
TICKWHEEL_INCLUDES := -I$(TICKWHEEL_DIR)/core -I$(TICKWHEEL_PORT_DIR)
ifeq ($(strip $(TICKWHEEL_SYSTICK)),yes)
TICKWHEEL_INCLUDES += -I$(TICKWHEEL_DIR)/port/cortex_m_systick
TICKWHEEL_SOURCES += $(TICKWHEEL_DIR)/port/cortex_m_systick/tickwheel_systick.cpp
endif
ifneq ($(TICKWHEEL_COUNTER),)
TICKWHEEL_INCLUDES += -DTICKWHEEL_ONE_SHOT=1 \
	-I$(if $(filter /%,$(TICKWHEEL_COUNTER)),$(TICKWHEEL_COUNTER),$(TICKWHEEL_DIR)/port/one_shot/$(TICKWHEEL_COUNTER))
endif
# A variable that was set by override takes no +=, so this one is only if it must be.
ifeq ($(origin TICKWHEEL_CPPFLAGS),command line)
override TICKWHEEL_CPPFLAGS := $(TICKWHEEL_INCLUDES) $(TICKWHEEL_CPPFLAGS)
else
TICKWHEEL_CPPFLAGS := $(TICKWHEEL_INCLUDES) $(TICKWHEEL_CPPFLAGS)
endif
