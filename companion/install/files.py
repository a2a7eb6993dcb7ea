"""The contents of an installed companion's files: its unit, its devices' rules, its log's limits."""

from __future__ import annotations

from companion.install.program import CURRENT, NAME

DATA = f"/var/lib/{NAME}"
UNIT = f"{NAME}.service"
GROUPS = ("spi", "gpio", "dialout", "audio", "input")
WATCHDOG_S = 20
INSTALLED = "COMPANION_INSTALLED"  # the variable by which a command knows that it acts on the installed table
MEMORY_MB = 400  # leaves enough for the rest of a Pi 3 with 1 GB

SERVICE = f"""\
# made by `companion install`; changes of your own go into {UNIT}.d/*.conf
[Unit]
Description=Race companion: the table and its pages
After=network.target
StartLimitIntervalSec=300
StartLimitBurst=20

[Service]
Type=notify
ExecStart={CURRENT}/bin/python -m companion run --port 80 --data {DATA}
User={NAME}
WorkingDirectory={DATA}
ReadWritePaths={DATA}
UMask=0077
Environment=PYTHONDONTWRITEBYTECODE=1
# one heap for all threads: 2 MB less
Environment=MALLOC_ARENA_MAX=1

# the table's own thread feeds the watchdog: who hangs is ended and starts anew, with all that was confirmed
WatchdogSec={WATCHDOG_S}
WatchdogSignal=SIGKILL
Restart=on-failure
RestartSec=1
TimeoutStartSec=60
TimeoutStopSec=10
# it ends the process of the odds itself: one that systemd ended would be started again
KillMode=mixed
MemoryHigh={MEMORY_MB - 100}M
MemoryMax={MEMORY_MB}M
MemorySwapMax=0
OOMPolicy=kill
TasksMax=100

# port 80, and nothing else that an ordinary program may not
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
DevicePolicy=closed
DeviceAllow=char-spi rw
DeviceAllow=char-gpiochip rw
DeviceAllow=char-ttyACM rw
DeviceAllow=char-ttyUSB rw
DeviceAllow=char-alsa rw
DeviceAllow=char-input rw
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateMounts=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# the odds step back behind the table
SystemCallFilter=setpriority
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""

UDEV = """\
# made by `companion install`
# a Pico (Raspberry Pi's vendor number): no modem, so that nothing asks it who it is
SUBSYSTEM=="tty", ATTRS{idVendor}=="2e8a", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"
SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
"""

JOURNALD = """\
# made by `companion install`: a log that does not wear the SD card out
[Journal]
SystemMaxUse=50M
RuntimeMaxUse=20M
SyncIntervalSec=15min
"""

COMMAND = f"""\
#!/bin/sh
# made by `companion install`: the commands act on the data of the table that runs here.
# They begin as the person who types, whose files they may open; they ask for what only the table's user may
case "${{1-}} ${{2-}}" in
"install "* | "update "* | "plugins add" | "plugins remove") user=root ;;
"start "* | "stop "* | "restart "* | "logs "*) user=root ;;
"run "* | "doctor "* | "flash "* | "hub "* | "join-club "*) user={NAME} ;;
*) user= ;;
esac
if [ -z "$user" ] || [ "$(id -un)" = "$user" ]; then
    as=
elif [ "$(id -u)" = 0 ]; then
    as="runuser -u $user --"
else
    as="sudo -u $user"
fi
# -P: not what happens to be in this folder
exec $as env {INSTALLED}={NAME} XDG_DATA_HOME=/var/lib PYTHONDONTWRITEBYTECODE=1 \\
    {CURRENT}/bin/python -P -m companion "$@"
"""

NOTED = f"/etc/{NAME}/packages"
