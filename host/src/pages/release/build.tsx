import { Flex, Tooltip, Typography } from 'antd'
import dayjs from 'dayjs'
import type { AreaRelease } from '@iot/shared/contract/releaseCenter'

export const at = (time: string) => dayjs(time).format('YYYY-MM-DD HH:mm')
export const none = <Typography.Text type="secondary">—</Typography.Text>

type Builds = Pick<AreaRelease, 'builds'>
const publishedOf = ({ builds }: Builds, id: string) =>
  builds.find(({ build }) => build === id)?.published

/** “11-21 21:27 · 李工 · 用户导入改版”; the id of a build that was not published here. */
export function nameOf(area: Builds, id: string) {
  const published = publishedOf(area, id)
  if (!published) return id
  return `${dayjs(published.time).format('MM-DD HH:mm')} · ${published.who} · ${published.why}`
}

/** More than this share of its sessions says that it is the build, and not one person's page. */
const TOO_MANY = 0.02

/** The build that is served, when its screens fail in too many sessions and there is one to go back to. */
export function failingBuild({ build, previous, builds }: AreaRelease) {
  const now = builds.find((one) => one.build === build)
  const before = builds.find((one) => one.build === previous)
  return now && before?.kept && now.crashed > now.used * TOO_MANY ? now : undefined
}

/** A build as people call it; the id is in the tooltip, to be copied. */
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
        {dayjs(published.time).format('MM-DD HH:mm')}
        <Typography.Text type="secondary" ellipsis>
          {published.who} · {published.why}
        </Typography.Text>
      </Flex>
    </Tooltip>
  )
}
