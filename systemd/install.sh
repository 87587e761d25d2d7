#!/bin/sh
# Installs the referee on Raspberry Pi OS, or updates it; the version before stays for a way back.
#   install.sh          install or update from the folder above
#   install.sh --back   the version before becomes the one in force
set -eu

HOME_DIR=/opt/arbitro
VERSIONS=$HOME_DIR/versions
SOURCE=$(cd "$(dirname "$0")/.." && pwd)
UNITS=/etc/systemd/system
BOOT_CONFIG=${BOOT_CONFIG:-/boot/firmware/config.txt}

say() { printf '%s\n' "arbitro: $*"; }
fail() { printf '%s\n' "arbitro: $*" >&2; exit 1; }
systemd_runs() { [ -d /run/systemd/system ]; }

check_system() {
    [ "$(id -u)" = 0 ] || fail "expected to run as root: sudo make install"
    CODENAME=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-unknown}")
    LOCK=$SOURCE/systemd/requirements-$CODENAME.txt
    [ -f "$LOCK" ] || fail "expected Raspberry Pi OS bookworm or trixie, got $CODENAME"
    case $(dpkg --print-architecture) in
        arm64 | amd64) ;;
        *) fail "expected a 64-bit system, got $(dpkg --print-architecture): there is no OpenCV for it" ;;
    esac
}

install_packages() {
    # The locks name wheels for the system's own Python: picamera2 and libcamera exist for no other.
    apt-get install --yes --no-install-recommends \
        python3 python3-venv python3-pip i2c-tools polkitd udev
    for package in python3-libcamera python3-picamera2 python3-lgpio python3-spidev; do
        apt-get install --yes --no-install-recommends "$package" ||
            say "$package is not to be had here: without it the referee does not run on a Raspberry Pi"
    done
}

build_version() {
    NEW=$VERSIONS/$(date +%Y%m%d-%H%M%S)-$$
    mkdir -p "$NEW"
    trap 'rm -rf "$NEW"' EXIT
    python3 -m venv --system-site-packages "$NEW/venv"
    pip="$NEW/venv/bin/python -m pip --quiet --disable-pip-version-check"
    $pip install --require-hashes --only-binary :all: --requirement "$LOCK"
    # Built from a copy: the folder that the user called make in stays as it was.
    mkdir "$NEW/build"
    (cd "$SOURCE" && cp -R engine vision hardware firmware pyproject.toml README.md LICENSE "$NEW/build/")
    $pip install --no-deps --no-build-isolation "$NEW/build"
    rm -rf "$NEW/build"
    cp -R "$SOURCE/systemd" "$SOURCE/docs" "$NEW/"
    "$NEW/venv/bin/arbitro" --help >/dev/null || fail "the new version does not start; nothing was changed"
    trap - EXIT
}

configure_system() {
    from=$1/systemd
    install -D -m 644 "$from/arbitro.sysusers" /usr/lib/sysusers.d/arbitro.conf
    systemd-sysusers arbitro.conf
    install -D -m 644 "$from/60-arbitro.rules" /etc/udev/rules.d/60-arbitro.rules
    install -D -m 644 "$from/50-arbitro.rules" /etc/polkit-1/rules.d/50-arbitro.rules
    install -D -m 644 "$from/arbitro.modules" /etc/modules-load.d/arbitro.conf
    install -D -m 644 "$from/arbitro.service" $UNITS/arbitro.service
    install -D -m 644 "$from/arbitro-failed.service" $UNITS/arbitro-failed.service
    # absent in a version from before there was a splash, which --back may bring back
    [ ! -e "$from/arbitro-splash.service" ] ||
        install -D -m 644 "$from/arbitro-splash.service" $UNITS/arbitro-splash.service
    install -d -m 750 -o arbitro -g arbitro /var/lib/arbitro
    install -d -m 755 /etc/arbitro
    [ -e /etc/arbitro/arbitro.toml ] || install -m 644 "$from/arbitro.toml" /etc/arbitro/arbitro.toml
    ln -sf $HOME_DIR/current/venv/bin/arbitro /usr/local/bin/arbitro
    set_bus_speed
}

set_bus_speed() {
    # A full picture takes 25 ms at 400 kHz and 100 ms at the usual 100 kHz.
    if [ ! -f "$BOOT_CONFIG" ]; then
        say "no $BOOT_CONFIG: the I2C bus keeps its speed"
    elif ! grep -q '^dtparam=i2c_arm_baudrate=400000' "$BOOT_CONFIG"; then
        printf '\n# arbitro: display\n[all]\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n' >>"$BOOT_CONFIG"
        say "the I2C bus runs at 400 kHz after the next start of the system"
    fi
}

point() { ln -sfn "$2" "$HOME_DIR/$1.new" && mv -T "$HOME_DIR/$1.new" "$HOME_DIR/$1"; }
target() { readlink "$HOME_DIR/$1" 2>/dev/null || true; }

start() {
    systemd_runs || { say "systemd does not run here: the referee starts with the system"; return 0; }
    systemctl daemon-reload
    # only the devices that our rules name: a trigger for all of them keeps a slow system busy for minutes
    udevadm control --reload && udevadm trigger \
        $(sed -n 's/^SUBSYSTEM=="\([^"]*\)".*/--subsystem-match=\1/p' /etc/udev/rules.d/60-arbitro.rules)
    modprobe i2c-dev 2>/dev/null || say "no I2C in this kernel"
    systemctl reset-failed arbitro.service 2>/dev/null || true
    systemctl restart arbitro.service
}

self_test() {
    # Before the service starts and holds the parts; as its user, since a part that only root may open must show.
    runuser -u arbitro -- "$HOME_DIR/current/venv/bin/arbitro" doctor \
        --state /var/lib/arbitro --config /etc/arbitro/arbitro.toml ||
        say "the self-test found something: see above and docs/troubleshooting.md"
}

adopt() {
    old=$(target current)
    configure_system "$1"
    point current "$1"
    [ -z "$old" ] || [ "$old" = "$1" ] || point previous "$old"
    systemctl enable arbitro.service arbitro-splash.service
    self_test
    if ! start; then
        [ -n "$old" ] || fail "the referee does not start: arbitro doctor tells why"
        configure_system "$old"
        point current "$old"
        start || true
        fail "the new version does not start, so $old is in force again; its trouble: journalctl -u arbitro"
    fi
}

drop_old_versions() {
    for folder in "$VERSIONS"/*; do
        [ "$folder" = "$(target current)" ] || [ "$folder" = "$(target previous)" ] || rm -rf "$folder"
    done
}

check_system
if [ "${1:-}" = --back ]; then
    previous=$(target previous)
    [ -d "$previous" ] || fail "expected a version before this one, got none"
    adopt "$previous"
    say "$previous is in force again"
else
    install_packages
    build_version
    adopt "$NEW"
    drop_old_versions
    say "installed in $NEW"
fi
