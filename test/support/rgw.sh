#!/usr/bin/env bash
# rgw.sh DIRECTORY OWNER MONITOR_PORT PORT: an S3-compatible store (Ceph's RADOS Gateway on one OSD in memory) for as long as
# the process OWNER lives and there is no file DIRECTORY/stop. DIRECTORY/ready appears when it serves, or DIRECTORY/failed.
set -eu
directory=$1 owner=$2 monitor="[v2:127.0.0.1:$3]" port=$4
daemons=()

wait_for_owner() {
  while [ ! -e "$directory/stop" ] && kill -0 "$owner" 2>/dev/null; do sleep 0.2; done
}

finish() {
  trap - EXIT
  if [ ! -e "$directory/ready" ]; then
    tail -n 20 "$directory"/log* >"$directory/failed" 2>/dev/null || true
    wait_for_owner
  fi
  kill -KILL "${daemons[@]}" 2>/dev/null || true
  wait
  rm -rf "$directory"
}
trap finish EXIT
trap exit INT TERM HUP

run_daemon() {
  "$@" </dev/null >>"$directory/log" 2>&1 &
  daemons+=($!)
}

until_it_works() {
  for _ in $(seq 100); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.1
  done
  echo "$* does not work" >&2
  return 1
}

is_listening() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

mkdir "$directory"/{monitor,osd,manager,gateway}
cluster=$(cat /proc/sys/kernel/random/uuid)
# Without the two intervals every change of the map waits a second, and there are a dozen.
cat >"$directory/ceph.conf" <<CONF
[global]
fsid = $cluster
mon host = $monitor
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 1000
mon warn on pool no redundancy = false
mon data avail crit = 1
mon data avail warn = 1
paxos propose interval = 0.02
paxos min wait = 0.01
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 2147483648
log file = $directory/log.\$name
log to stderr = false
admin socket = $directory/\$name.asok
run dir = $directory
pid file =
ms bind ipv6 = false
ms bind msgr1 = false
ms mon client mode = crc
ms client mode = crc
ms cluster mode = crc
ms service mode = crc
mon data = $directory/monitor
osd data = $directory/osd
mgr data = $directory/manager
rgw data = $directory/gateway
rgw frontends = beast endpoint=127.0.0.1:$port tcp_nodelay=1
rgw enable usage log = false
rgw gc obj min wait = 5
rgw gc processor period = 10
CONF
export CEPH_CONF=$directory/ceph.conf
monmaptool --create --fsid "$cluster" --addv a "$monitor" "$directory/monmap" >/dev/null
ceph-mon --mkfs -i a --monmap "$directory/monmap"
run_daemon ceph-mon -f -i a
until_it_works timeout 5 ceph -s
osd=$(cat /proc/sys/kernel/random/uuid)
ceph osd new "$osd" >/dev/null
ceph-osd -i 0 --mkfs --osd-uuid "$osd" >/dev/null
ceph osd crush add osd.0 1.0 root=default host=here 2>/dev/null >&2
run_daemon ceph-osd -f -i 0
run_daemon radosgw -f -n client.rgw.a
until_it_works is_listening
radosgw-admin user create --uid test --display-name test --access-key "$S3_ACCESS_KEY" --secret-key "$S3_SECRET_KEY" >/dev/null
touch "$directory/ready"
wait_for_owner
