import * as z from '../zod'
import { RemoteName, BuildId, AppName } from './release.schema'

/** Reasons why code could not be loaded. */
export const FailureKind = z.enum(['missing', 'network', 'updated', 'incompatible', 'script'])
export type FailureKind = z.infer<typeof FailureKind>
const LoadFailure = z.object({
  kind: FailureKind,
  detail: z.string().max(200),
  trace: z.string().max(32),
})

/** Result of loading a remote; `build` is empty if even the pointer could not be read. */
const RemoteLoad = z.object({
  name: RemoteName,
  build: z.union([z.literal(''), BuildId]),
  ms: z.number().int().min(0).max(600_000),
  failure: LoadFailure.optional(),
})

/** A failure of a build: a screen that crashed, or a violation of the page's security policy. */
const BuildFault = z.object({ name: AppName, build: BuildId, kind: z.enum(['crash', 'violation']) })
export type BuildFault = z.infer<typeof BuildFault>

/** Report of an open page: its builds, and loads and failures since the last report. */
export const PageHeartbeat = z.object({
  /** Older pages do not send it. */
  page: z.string().max(16).optional(),
  builds: z
    .record(AppName, BuildId)
    .refine((builds) => Object.keys(builds).length <= 50, '功能区太多'),
  loads: z.array(RemoteLoad).max(50).meta({ isSequence: true }),
  /** Older pages do not report failures. */
  faults: z.array(BuildFault).max(50).meta({ isSequence: true }).default([]),
})

const AppBuild = z.object({
  build: z.string(),
  /** Time when this build was last made the served one. */
  time: z.string().nullable(),
  /** Publication of the build, by which users recognise it. */
  published: z.object({ time: z.string(), who: z.string(), why: z.string() }).nullable(),
  /** Signed-in sessions whose pages used the build in the last two minutes. */
  sessions: z.number(),
  /** Sessions of the last 24 hours: all, those with a crashed screen, and those with a policy violation. */
  used: z.number(),
  crashed: z.number(),
  violated: z.number(),
  /** The files still exist, so the build can be served again. */
  kept: z.boolean(),
  /** The site has a key and this build is not signed with it, so it is not served. */
  unsigned: z.boolean(),
})
export type AppBuild = z.infer<typeof AppBuild>

/** Ledger entry: `build` took the place of `before`; `share` is set for a canary. */
const ReleaseChange = z.object({
  time: z.string(),
  who: z.string(),
  why: z.string(),
  verb: z.enum(['publish', 'rollback']),
  build: z.string(),
  before: z.string().nullable(),
  share: z.number().optional(),
})
export type ReleaseChange = z.infer<typeof ReleaseChange>

export const AppRelease = z.object({
  name: AppName,
  title: z.string(),
  build: z.string().nullable(),
  previous: z.string().nullable(),
  /** Why the served host cannot run the current build. */
  incompatibility: z.string().nullable(),
  /** A newer build that a share of the browsers receives, in percent. */
  canary: z.object({ build: z.string(), share: z.number() }).nullable(),
  /** Last ledger entry. */
  last: ReleaseChange.nullable(),
  builds: z.array(AppBuild),
  /** Loads of the last 24 hours; the rates are null if there were none. */
  loads: z.number(),
  successRate: z.number().nullable(),
  p95: z.number().nullable(),
  failures: z.array(LoadFailure.extend({ time: z.string(), build: z.string() })),
})
export type AppRelease = z.infer<typeof AppRelease>

/** A remote or the host on its own page; `id` is its name. */
export const ReleaseDetail = AppRelease.extend({
  id: AppName,
  /** Revision of the site, for changes of the release. */
  revision: z.number(),
  /** Release record of the current build; null if its files are gone. */
  record: z
    .object({
      hash: z.string(),
      shellApi: z.string(),
      files: z.number(),
      screens: z.number(),
    })
    .nullable(),
  /** Newest ledger entries first. */
  history: z.array(ReleaseChange),
})
export type ReleaseDetail = z.infer<typeof ReleaseDetail>

export const releaseSchemas = {
  list: {
    input: z.object({}),
    output: z.object({ revision: z.number(), areas: z.array(AppRelease) }),
  },
  get: { input: z.object({ id: AppName }), output: ReleaseDetail },
  canary: {
    input: z.object({
      name: RemoteName,
      share: z.number().int().min(1, '比例为 1 到 99').max(99, '比例为 1 到 99').optional(),
      revision: z.number().int(),
    }),
    output: z.object({ revision: z.number() }),
  },
  rollback: {
    input: z.object({
      name: AppName,
      build: BuildId.optional(),
      revision: z.number().int(),
      why: z.string().trim().max(100, '原因最多 100 个字').optional(),
    }),
    output: z.object({ revision: z.number(), build: z.string() }),
  },
  heartbeat: { input: PageHeartbeat, output: z.null() },
}
