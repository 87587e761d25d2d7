#!/bin/sh
# Pins, bus and camera of the virtual machine.
set -e
mkdir -p /run/hil
modprobe gpio-sim
mount -t configfs none /sys/kernel/config 2>/dev/null || true
pins=/sys/kernel/config/gpio-sim/pi
mkdir "$pins" "$pins/bank0"
echo 54 >"$pins/bank0/num_lines"
echo pinctrl-bcm2711 >"$pins/bank0/label"
echo 1 >"$pins/live"
for pin in 17 27 22 23; do
    echo pull-up >"$(ls -d /sys/devices/platform/gpio-sim.0/gpiochip*)/sim_gpio$pin/pull"
done
modprobe i2c-oledrec
modprobe i2c-dev
modprobe vimc
ln -sf system "/dev/dma_heap/linux,cma"
udevadm settle --timeout=900 # the machine is slow
chgrp -R video /dev/dma_heap && chmod 660 /dev/dma_heap/system
