import * as z from '../zod'

/** First path segment of a remote. The pointer of a site lists the existing remotes. */
export const RemoteName = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]{1,31}$/, '名称以小写字母开头，由 2–32 个字母和数字组成')
  .max(32)
  .refine((name) => !reservedNames.includes(name), '这个名称由控制台自己使用')
export type RemoteName = string
/** First path segments that no remote may use. */
const reservedNames = [
  'host',
  'login',
  'home',
  'serviceUnavailable',
  'remotes',
  'ledger',
  'healthz',
  'readyz',
  'metrics',
]
/** Names a remote or the host. */
export const AppName = z.union([z.literal('host'), RemoteName])
export type AppName = z.infer<typeof AppName>

const Sha384 = z.string().regex(/^sha384-[\w+/]{64}$/)
export const BuildId = z
  .string()
  .regex(/^[0-9a-z][0-9a-z.-]{3,63}$/)
  .max(64)
const FilePath = z.string().regex(/^[\w@.-]+(\/[\w@.-]+)*$/)

/** Files that one address needs, so that they are requested together. */
const NeededFiles = z.object({
  files: z.array(FilePath),
  shared: z.array(z.string()),
  asks: z
    .object({
      method: z.enum(['GET', 'POST']),
      path: z.string().regex(/^\/v1\/[\w{}/-]+$/),
      within: z.literal('project').optional(),
    })
    .optional(),
})
/**
 * The first data call of an address: a list by the query of the address, with the id of the current project if it is
 * `within` one; or one row by its id.
 */
export type FirstCall = NonNullable<z.infer<typeof NeededFiles>['asks']>

const menuFields = { name: z.string(), permission: z.string(), roles: z.array(z.string()) }

/**
 * A menu row that a build contributes. `roles` are the built-in roles that receive it, or one of its buttons, when it
 * is new.
 */
export const MenuRecord = z.object({
  type: z.enum(['folder', 'page']),
  routeName: z.string(),
  /** Route name of the parent folder, which must come first; empty at the top. */
  parent: z.string(),
  path: z.string(),
  icon: z.string(),
  ...menuFields,
  buttons: z.array(z.object(menuFields)),
})
export type MenuRecord = z.infer<typeof MenuRecord>

/**
 * Release record, stored beside each build as `release.json`; equal sources give equal bytes. The pointer pins this
 * record, and the record pins every file.
 */
export const ReleaseRecord = z.object({
  name: AppName,
  build: BuildId,
  shellApi: z.string(),
  /**
   * Versions that the shared packages must satisfy, and shared modules that the host must offer; for the host, the
   * modules it loads on demand.
   */
  requires: z.record(z.string(), z.string()),
  shared: z.array(z.string()),
  /**
   * Names that a remote uses of each shared module; names and versions that the host offers. Older builds have neither.
   */
  uses: z.record(z.string(), z.array(z.string())).default({}),
  offers: z.record(z.string(), z.array(z.string())).default({}),
  versions: z.record(z.string(), z.string()).default({}),
  entry: FilePath,
  /** Menu rows of the remote. Older builds have none. */
  menu: z.array(MenuRecord).default([]),
  /** Needed files by address, where `:id` is a placeholder; `*` holds what every address needs. */
  needs: z.record(z.string(), NeededFiles),
  files: z.record(FilePath, Sha384),
})
export type ReleaseRecord = z.infer<typeof ReleaseRecord>

const Share = z.number().int().min(1).max(99)
/** A newer build that a share of the browsers (in percent) receives first. */
const Canary = z.object({
  build: BuildId,
  record: Sha384,
  needs: z.record(z.string(), NeededFiles),
  share: Share,
})

export const DeployedBuild = z.object({
  build: BuildId,
  record: Sha384,
  previous: BuildId.nullable(),
  /** Title of the remote, copied from its menu. Older pointers have none. */
  title: z.string().optional(),
  /** Record of the previous build, for pages that cannot load this one. Older pointers have none. */
  previousRecord: Sha384.optional(),
  /** Copied from the record, so that a page requests code and record at the same time. */
  needs: z.record(z.string(), NeededFiles),
  canary: Canary.optional(),
  /**
   * Why the served host cannot run this build. A start writes it when the new host replaces one for which the remote
   * was built.
   */
  incompatibility: z.string().optional(),
})
export type DeployedBuild = z.infer<typeof DeployedBuild>

/** The pointer is the only mutable file of a site. */
export const Pointer = z.object({
  revision: z.number().int(),
  host: DeployedBuild.nullable(),
  remotes: z.record(RemoteName, DeployedBuild),
})
export type Pointer = z.infer<typeof Pointer>

/** A ledger file: user, operation, and the resulting pointer. */
export const LedgerEntry = z.object({
  time: z.string(),
  who: z.string(),
  why: z.string(),
  verb: z.enum(['publish', 'rollback']),
  name: AppName,
  build: BuildId,
  before: BuildId.nullable(),
  /** The share of a canary is in percent; it is missing if all browsers receive the build. */
  share: Share.optional(),
  pointer: Pointer,
})
export type LedgerEntry = z.infer<typeof LedgerEntry>
