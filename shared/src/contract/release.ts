import { z } from 'zod'

/** The first word of a remote's addresses. Which remotes there are, the pointer of a site says. */
export const RemoteName = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]{1,31}$/)
  .max(32)
  .refine((name) => !taken.includes(name), '这个名称由控制台自己使用')
export type RemoteName = string
/** First words of addresses that are not a remote's. */
const taken = [
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
/** A remote, or the host. */
export const AreaName = z.union([z.literal('host'), RemoteName])
export type AreaName = z.infer<typeof AreaName>

const Sha384 = z.string().regex(/^sha384-[\w+/]{64}$/)
export const BuildId = z
  .string()
  .regex(/^[0-9a-z][0-9a-z.-]{3,63}$/)
  .max(64)
const File = z.string().regex(/^[\w@.-]+(\/[\w@.-]+)*$/)

/** Files of a build that one address needs, so that they are asked for together. */
const Needed = z.object({
  files: z.array(File),
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
 * The call that shows the first of an address: a list by what else stands in the address, and the id of the current project
 * where it is `within` one; one row by its id.
 */
export type FirstCall = NonNullable<z.infer<typeof Needed>['asks']>

const given = { name: z.string(), permission: z.string(), roles: z.array(z.string()) }

/** A row that a build brings to the menu. `roles` are the built-in ones that get it, or a button of it, when it is new. */
export const MenuRecord = z.object({
  type: z.enum(['folder', 'page']),
  routeName: z.string(),
  /** Route name of the folder it lies in, which comes before it; empty at the top. */
  parent: z.string(),
  path: z.string(),
  icon: z.string(),
  ...given,
  buttons: z.array(z.object(given)),
})
export type MenuRecord = z.infer<typeof MenuRecord>

/** Beside each build as `release.json`, of the same sources the same bytes. The pointer pins this record, the record every file. */
export const ReleaseRecord = z.object({
  name: AreaName,
  build: BuildId,
  shellApi: z.string(),
  /** Versions the shared packages must satisfy, and the shared modules the host must offer; of the host, those it loads when asked. */
  requires: z.record(z.string(), z.string()),
  shared: z.array(z.string()),
  /** Names a remote uses of each shared module; names the host has in each, and its versions. Builds of before said neither. */
  uses: z.record(z.string(), z.array(z.string())).default({}),
  offers: z.record(z.string(), z.array(z.string())).default({}),
  versions: z.record(z.string(), z.string()).default({}),
  entry: File,
  /** What the platform needs to offer its screens. Builds of before brought none. */
  menu: z.array(MenuRecord).default([]),
  /** By address, where `:id` stands for any; `*` is what every address of the remote needs. */
  needs: z.record(z.string(), Needed),
  files: z.record(File, Sha384),
})
export type ReleaseRecord = z.infer<typeof ReleaseRecord>

const Share = z.number().int().min(1).max(99)
/** A newer build that a share of the browsers gets first, in percent. */
const Canary = z.object({
  build: BuildId,
  record: Sha384,
  needs: z.record(z.string(), Needed),
  share: Share,
})

export const Deployed = z.object({
  build: BuildId,
  record: Sha384,
  previous: BuildId.nullable(),
  /** What people call it, copied from its menu. Pointers of before had none. */
  title: z.string().optional(),
  /** Of the build before, for pages that cannot load this one. Pointers of before had none. */
  previousRecord: Sha384.optional(),
  /** Copied from the record so that a page asks for code and record at the same time. */
  needs: z.record(z.string(), Needed),
  canary: Canary.optional(),
})
export type Deployed = z.infer<typeof Deployed>

/** The only file of a site that changes. */
export const Pointer = z.object({
  revision: z.number().int(),
  host: Deployed.nullable(),
  remotes: z.record(RemoteName, Deployed),
})
export type Pointer = z.infer<typeof Pointer>

/** One file of the ledger: who did what, and the pointer after it. */
export const LedgerEntry = z.object({
  time: z.string(),
  who: z.string(),
  why: z.string(),
  verb: z.enum(['publish', 'rollback']),
  name: AreaName,
  build: BuildId,
  before: BuildId.nullable(),
  /** Of a canary; missing where all got it. */
  share: Share.optional(),
  pointer: Pointer,
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

/** Folder of a build inside a site. */
export const folderOf = (name: AreaName, build: string) =>
  name === 'host' ? `host/${build}` : `remotes/${name}/${build}`

/** Beside the record of a build: what the holder of the site's key signed it with, where there is a key. */
export const signatureFile = 'release.sig'

/** Below a build: for each file the way back to what it was written in. Pages neither know nor get it. */
export const mapsFolder = 'maps'
