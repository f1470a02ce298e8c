-- For wrk. Arguments after "--": "paths FILE" requests each line once and then stops; "body FILE" posts the file.

local paths = {}
local answered = 0
local asked = 0

local function read_paths(file)
  for path in io.lines(file) do
    paths[#paths + 1] = wrk.format("GET", path)
  end
  request = function()
    asked = asked + 1
    return paths[asked] or paths[#paths]
  end
  response = function()
    answered = answered + 1
    if answered == #paths then
      wrk.thread:stop()
      -- wrk itself sleeps until its time is over unless it is interrupted, which it ignores while this command runs.
      os.execute("(sleep 0.02; kill -INT $PPID) &")
    end
  end
end

local function read_body(file)
  local handle = assert(io.open(file, "rb"))
  wrk.method = "POST"
  wrk.body = handle:read("*a")
  handle:close()
end

function init(arguments)
  if arguments[1] == "paths" then read_paths(arguments[2]) end
  if arguments[1] == "body" then read_body(arguments[2]) end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"errors":%d,"p50":%f,"p95":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(95) / 1e3, latency:percentile(99) / 1e3))
end
