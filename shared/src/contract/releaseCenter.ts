import { z } from 'zod'
import { endpoint } from './endpoint'
import { AreaName, BuildId, RemoteName } from './release'

/** Why code did not load. */
export const FailureKind = z.enum(['missing', 'network', 'updated', 'incompatible', 'script'])
export type FailureKind = z.infer<typeof FailureKind>
export const failureKindText: Record<FailureKind, string> = {
  missing: '未部署',
  network: '网络',
  updated: '已更新',
  incompatible: '版本不兼容',
  script: '脚本错误',
}
const Failure = z.object({
  kind: FailureKind,
  detail: z.string().max(200),
  trace: z.string().max(32),
})

/** How loading a remote went; `build` is empty where even the pointer could not be read. */
const Load = z.object({
  name: RemoteName,
  build: z.union([z.literal(''), BuildId]),
  ms: z.number().int().min(0).max(600_000),
  failure: Failure.optional(),
})

/** What went wrong in a build: a screen while it was drawn, or something the page's policy forbids. */
const Fault = z.object({ name: AreaName, build: BuildId, kind: z.enum(['crash', 'violation']) })
export type Fault = z.infer<typeof Fault>

/** What an open page uses, and how loading and drawing went since it last told. */
export const Heartbeat = z.object({
  /** Pages of before named themselves. */
  page: z.string().max(16).optional(),
  builds: z
    .record(AreaName, BuildId)
    .refine((builds) => Object.keys(builds).length <= 50, '功能区太多'),
  loads: z.array(Load).max(50),
  /** Pages of before did not tell. */
  faults: z.array(Fault).max(50).default([]),
})

const AreaBuild = z.object({
  build: z.string(),
  /** When it was last made the one that is served. */
  time: z.string().nullable(),
  /** How it came here, which is what people call it by. */
  published: z.object({ time: z.string(), who: z.string(), why: z.string() }).nullable(),
  /** Signed-in sessions whose pages used it in the last two minutes. */
  sessions: z.number(),
  /** Sessions of the last 24 hours: all, and those in which a screen of it failed or the policy forbade something. */
  used: z.number(),
  crashed: z.number(),
  violated: z.number(),
  /** Its files are there, so that it can be served again. */
  kept: z.boolean(),
  /** The site has a key, and this was not signed with it: it is not served. */
  unsigned: z.boolean(),
})
export type AreaBuild = z.infer<typeof AreaBuild>

export const AreaRelease = z.object({
  name: AreaName,
  title: z.string(),
  build: z.string().nullable(),
  previous: z.string().nullable(),
  /** A newer build that a share of the browsers gets, in percent. */
  canary: z.object({ build: z.string(), share: z.number() }).nullable(),
  /** The last line of the ledger; `share` of a canary. */
  last: z
    .object({
      time: z.string(),
      who: z.string(),
      why: z.string(),
      verb: z.enum(['publish', 'rollback']),
      share: z.number().optional(),
    })
    .nullable(),
  builds: z.array(AreaBuild),
  /** Of the last 24 hours; null where nothing was loaded. */
  loads: z.number(),
  successRate: z.number().nullable(),
  p95: z.number().nullable(),
  failures: z.array(Failure.extend({ time: z.string(), build: z.string() })),
})
export type AreaRelease = z.infer<typeof AreaRelease>

export const releaseApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/release/list',
    title: '查看发布',
    permission: 'system:release:list',
    input: z.object({}),
    output: z.object({ revision: z.number(), areas: z.array(AreaRelease) }),
  }),
  /** Gives the canary of a remote to another share of the browsers; to all of them without one. */
  canary: endpoint({
    method: 'POST',
    path: '/v1/release/canary',
    title: '调整灰度',
    permission: 'system:release:canary',
    owner: 'platform',
    input: z.object({
      name: RemoteName,
      share: z.number().int().min(1, '比例为 1 到 99').max(99, '比例为 1 到 99').optional(),
      revision: z.number().int(),
    }),
    output: z.object({ revision: z.number() }),
  }),
  /** Serves an earlier build again, by default the one before, and ends a canary; refused when the revision is no longer the one seen. */
  rollback: endpoint({
    method: 'POST',
    path: '/v1/release/rollback',
    title: '回退发布',
    permission: 'system:release:rollback',
    owner: 'platform',
    input: z.object({
      name: AreaName,
      build: BuildId.optional(),
      revision: z.number().int(),
      why: z.string().trim().max(100, '原因最多 100 个字').optional(),
    }),
    output: z.object({ revision: z.number(), build: z.string() }),
  }),
  heartbeat: endpoint({
    method: 'POST',
    path: '/v1/release/heartbeat',
    title: '上报使用中的版本',
    reads: true,
    permission: 'session',
    input: Heartbeat,
    output: z.null(),
  }),
}
