# An Ethernet switch between the namespaces of a test, in which packets can be late or lost. The
# kernel of the machine need not have netem. Arguments: the names of the interfaces it creates.
# Commands on standard input, one JSON object a line, replace the faults: delayMs and loss apply to
# packets from and to the ports `slow`; no packet passes between the two ports of each pair in `cut`.
# Each is answered with the packets that the faults before have touched.
import fcntl
import heapq
import json
import os
import random
import select
import struct
import sys
import time

TUNSETIFF = 0x400454CA
TAP_WITHOUT_HEADER = 0x1002
BROADCAST_BIT = 1

names = sys.argv[1:]
ports = {}
for name in names:
    port = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(port, TUNSETIFF, struct.pack("16sH", name.encode(), TAP_WITHOUT_HEADER))
    ports[port] = name
print("ready", flush=True)

faults = {"delayMs": 0, "loss": 0, "slow": [], "cut": []}
touched = {"late": 0, "lost": 0, "cut": 0}
port_of_address = {}
waiting = []
serial = 0


def send(port, frame):
    try:
        os.write(port, frame)
    except OSError:
        pass  # The interface is down, or its queue is full: the packet is lost.


def forward(source, frame):
    global serial
    port_of_address[frame[6:12]] = source
    known = port_of_address.get(frame[0:6])
    targets = ports if frame[0] & BROADCAST_BIT or known is None else [known]
    for target in targets:
        pair = [ports[source], ports[target]]
        if target == source or pair in faults["cut"] or pair[::-1] in faults["cut"]:
            touched["cut"] += target != source
            continue
        is_slow = pair[0] in faults["slow"] or pair[1] in faults["slow"]
        if is_slow and random.random() < faults["loss"]:
            touched["lost"] += 1
            continue
        delay = faults["delayMs"] / 1000 if is_slow else 0
        touched["late"] += delay > 0
        serial += 1
        heapq.heappush(waiting, (time.monotonic() + delay, serial, target, frame))


while True:
    pause = max(0, waiting[0][0] - time.monotonic()) if waiting else None
    readable, _, _ = select.select([*ports, 0], [], [], pause)
    for source in readable:
        if source == 0:
            line = sys.stdin.readline()
            if line == "":
                sys.exit()
            faults.update(json.loads(line))
            print(json.dumps(touched), flush=True)
            touched = dict.fromkeys(touched, 0)
            continue
        try:
            forward(source, os.read(source, 65536))
        except OSError:
            pass
    while waiting and waiting[0][0] <= time.monotonic():
        _, _, target, frame = heapq.heappop(waiting)
        send(target, frame)
