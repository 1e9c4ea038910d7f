-- The largest eigenvalue of a matrix: arithmetic in nested loops. After the benchmarks game's spectral-norm.
local n = tonumber(arg and arg[1]) or 150

local function a(i, j)
  local ij = i + j - 1
  return 1.0 / (ij * (ij - 1) * 0.5 + i)
end

local function multiply(x, y)
  for i = 1, n do
    local sum = 0
    for j = 1, n do
      sum = sum + x[j] * a(i, j)
    end
    y[i] = sum
  end
end

local function transposed(x, y)
  for i = 1, n do
    local sum = 0
    for j = 1, n do
      sum = sum + x[j] * a(j, i)
    end
    y[i] = sum
  end
end

local u, v, t = {}, {}, {}
for i = 1, n do
  u[i] = 1
end
for _ = 1, 10 do
  multiply(u, t)
  transposed(t, v)
  multiply(v, t)
  transposed(t, u)
end
local uv, vv = 0, 0
for i = 1, n do
  uv = uv + u[i] * v[i]
  vv = vv + v[i] * v[i]
end
print(string.format("%.9f", math.sqrt(uv / vv)))
