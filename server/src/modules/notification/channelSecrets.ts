import type { ChannelKind } from '@iot/shared/contract/alarm/notificationChannel'
import { dayMs } from '@iot/shared/contract/duration'
import { createHash } from 'node:crypto'

/** The encrypted part of a channel. */
export type ChannelSecrets = {
  url?: string
  secret?: string
  /** The former secret of a webhook signs beside the new one for a day, so that its receiver can change over. */
  previousSecret?: string
  previousUntil?: string
  password?: string
}
export const secretOverlapMs = dayMs

/** Replaces credentials in the address; the last part of a path is one at Feishu and at many webhook receivers. */
export function maskUrl(url: string) {
  if (!url) return ''
  const { protocol, host, pathname, searchParams } = new URL(url)
  const parts = pathname.split('/').filter(Boolean)
  const shownPath =
    parts.length > 1 || pathname.length > 24 ? [...parts.slice(0, -1), '***'] : parts
  const hasPlainPath = /\/robot\/send$|\/webhook\/send$/.test(pathname)
  const path = hasPlainPath ? pathname : `/${shownPath.join('/')}`
  const query = [...searchParams.keys()].map((name) => `${name}=***`).join('&')
  return `${protocol}//${host}${path}${query ? `?${query}` : ''}`
}

/** Removes everything that stands in the secrets from a text for the log. */
export function maskSecrets(
  text: string,
  { url, secret, previousSecret, password }: ChannelSecrets,
) {
  const address = url ? new URL(url) : undefined
  const parts = address
    ? [url!, ...address.searchParams.values(), address.pathname.split('/').at(-1)!]
    : []
  return [...parts, secret, previousSecret, password]
    .filter((part): part is string => part !== undefined && part.length >= 6)
    .reduce((masked, part) => masked.replaceAll(part, '***'), text)
}

type TargetFields = {
  kind: ChannelKind
  smtpHost: string
  smtpPort: number
  smtpUser: string
  sender: string
}
/** Names what counts as one sender: the robot by its address, the mailbox, or the pages of the console. */
export function buildTargetKey(
  { kind, smtpHost, smtpPort, smtpUser, sender }: TargetFields,
  { url }: ChannelSecrets,
) {
  const parts =
    kind === 'email'
      ? ['email', smtpHost.toLowerCase(), smtpPort, smtpUser || sender]
      : kind === 'browser'
        ? ['browser']
        : [new URL(url!).href]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
