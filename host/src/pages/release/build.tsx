import { Flex, Tag, Tooltip, Typography } from 'antd'
import type { AreaBuild, AreaRelease } from '@iot/shared/contract/releaseCenter'
import { zoned } from '@iot/shared/client/zone'

export const at = (time: string) => zoned(time).format('YYYY-MM-DD HH:mm')
export const none = <Typography.Text type="secondary">—</Typography.Text>

type Builds = Pick<AreaRelease, 'builds'>
const publishedOf = (area: Builds, id: string) => buildIn(area, id)?.published

/** Returns “11-21 21:27 · 李工 · 用户导入改版”, or the build id if the build was not published on this platform. */
export function nameOf(area: Builds, id: string) {
  const published = publishedOf(area, id)
  if (!published) return id
  return `${zoned(published.time).format('MM-DD HH:mm')} · ${published.who} · ${published.why}`
}

/** A share of failing sessions above this means that the build is at fault and not a single page. */
const TOO_MANY = 0.02

const failingIn = ({ used, crashed }: AreaBuild) => crashed / Math.max(used, 1)
const isFailing = (one: AreaBuild) => failingIn(one) > TOO_MANY
const buildIn = ({ builds }: Builds, id?: string | null) => builds.find(({ build }) => build === id)

const isUnsigned = (area: Builds, id?: string | null) => !!buildIn(area, id)?.unsigned
/** Returns the reason why a build cannot be served again, or `undefined` if it can. */
export function barTo(area: Builds, id?: string | null) {
  const one = buildIn(area, id)
  if (!one?.kept) return '文件已清理，不能再启用'
  return one.unsigned ? '没有本站密钥的签名，不能启用' : undefined
}

/** Returns builds that fail in too many sessions and have a build to go back to: the regular one and the canary. */
export function failingBuilds(area: Pick<AreaRelease, 'build' | 'previous' | 'canary' | 'builds'>) {
  const now = buildIn(area, area.build)
  const former = buildIn(area, area.previous)
  const canary = buildIn(area, area.canary?.build)
  // A rollback does not help if the previous build failed as often.
  const isWorse = now && (!former || failingIn(now) > failingIn(former))
  return [
    ...(now && isWorse && !barTo(area, area.previous) && isFailing(now)
      ? [{ ...now, to: area.previous! }]
      : []),
    ...(canary && isFailing(canary) ? [{ ...canary, to: area.build! }] : []),
  ]
}

/** Shows the display name of a build, with the id in the tooltip for copying. */
export function Build({ area, id }: { area: Builds; id: string | null }) {
  if (!id) return none
  const published = publishedOf(area, id)
  if (!published) return <Typography.Text code>{id}</Typography.Text>
  return (
    <Tooltip
      title={
        <Typography.Text code copyable style={{ color: 'inherit' }}>
          {id}
        </Typography.Text>
      }
    >
      <Flex vertical tabIndex={0}>
        <span>
          {zoned(published.time).format('MM-DD HH:mm')}{' '}
          {isUnsigned(area, id) && <Tag color="error">没有签名</Tag>}
        </span>
        <Typography.Text type="secondary" ellipsis>
          {published.who} · {published.why}
        </Typography.Text>
      </Flex>
    </Tooltip>
  )
}
