-- Tables, coroutines, string patterns, garbage, and files.
local function squares(count)
  return coroutine.wrap(function() for n = 1, count do coroutine.yield(n * n) end end)
end
local sum = 0
for square in squares(100) do sum = sum + square end
print(sum, ("%.3f"):format(math.sqrt(2)), ("a1b22c333"):gsub("%d+", "#"))
local name = os.tmpname()
local file = assert(io.open(name, "w"))
for n = 1, 1000 do file:write(n, "\n") end
file:close()
local total = 0
for line in io.lines(name) do total = total + tonumber(line) end
print(total, os.rename(name, name .. ".moved"), io.open(name), os.remove(name .. ".moved"))
local kept = {}
for n = 1, 200000 do kept[n % 1000] = { n } end
collectgarbage()
print(#kept, utf8.char(8364), os.date("!%Y", 0), _VERSION)
