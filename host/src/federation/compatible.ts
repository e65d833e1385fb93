import type { ReleaseRecord } from '@iot/shared/contract/release'

const numbers = (version: string) => version.split('.').map(Number)

/** `^1.2.0` accepts 1.2.0 and everything later below 2. Records hold no other kind of range. */
export function satisfies(version: string, range: string) {
  const [major = 0, minor = 0, patch = 0] = numbers(range.slice(1))
  const [a = 0, b = 0, c = 0] = numbers(version)
  return range.startsWith('^') && a === major && (b > minor || (b === minor && c >= patch))
}

/** Why this host cannot run a build; undefined when it can. */
export function refusal(
  record: ReleaseRecord,
  shellApi: string,
  offered: Set<string>,
  versions: Record<string, string> = {},
) {
  if (!satisfies(shellApi, record.shellApi))
    return `它需要控制台接口 ${record.shellApi}，当前为 ${shellApi}`
  for (const [pkg, range] of Object.entries(record.requires)) {
    const version = versions[pkg]
    if (version && !satisfies(version, range)) return `它需要 ${pkg} ${range}，当前为 ${version}`
  }
  const absent = record.shared.filter((key) => !offered.has(key))
  return absent.length ? `当前控制台没有提供 ${absent.join('、')}` : undefined
}
