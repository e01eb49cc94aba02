import { assert, it } from "@effect/vitest"
import { Duration, Option, Redacted } from "effect"
import { redisOptions } from "../../../../src/foundation/jobs/queue/RedisOptions.ts"

const place = {
  queueTimeout: Duration.seconds(1),
  redisSentinels: Option.none(),
  redisSentinelPassword: Option.none()
}
const { reconnectOnError } = redisOptions(Redacted.make("redis://localhost"), place, 500)

it.each([
  "READONLY You can't write against a read only replica.",
  "READONLY You can't write against a read only replica. script: 4a, on @user_script:1.",
  "ERR Error running script (call to f_4a): @user_script:9: @user_script: 9: -READONLY You can't write against a read only replica.",
  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
  "LOADING Redis is loading the dataset in memory"
])("A server that is not the master any more is left, and the call made again: %s", (message) => {
  assert.strictEqual(reconnectOnError(new Error(message)), 2)
})

it.each([
  "NOPERM this user has no permissions to run the 'evalsha' command",
  "OOM command not allowed when used memory > 'maxmemory'.",
  "ERR value is not READONLY"
])("Another refusal leaves the connection: %s", (message) => {
  assert.isFalse(reconnectOnError(new Error(message)))
})
