import Flex from 'antd/es/flex'
import Tag from 'antd/es/tag'
import Tooltip from 'antd/es/tooltip'
import Typography from 'antd/es/typography'
import type {
  AppBuild,
  AppRelease,
  ReleaseChange,
} from '@iot/shared/contract/release/releaseCenter.schema'
import { formatPageTime } from '@iot/shared/client/zone'

export const formatTime = (time: string) => formatPageTime(time, 'YYYY-MM-DD HH:mm')
export const emptyCell = <Typography.Text type="secondary">—</Typography.Text>

const verbText = { publish: '发布', rollback: '回退' }
export const formatVerb = ({ verb, share }: ReleaseChange) =>
  share ? `灰度 ${share}%` : verbText[verb]

type Builds = Pick<AppRelease, 'builds'>
const getPublication = (remote: Builds, id: string) => findBuild(remote, id)?.published

/** Returns “11-21 21:27 · 李工 · 用户导入改版”, or the build id if the build was not published on this platform. */
export function getBuildName(remote: Builds, id: string) {
  const published = getPublication(remote, id)
  if (!published) return id
  return `${formatPageTime(published.time, 'MM-DD HH:mm')} · ${published.who} · ${published.why}`
}

/** A share of failing sessions above this means that the build is at fault and not a single page. */
const MAX_FAILING_SHARE = 0.02

const getFailingShare = ({ used: sessionCount, crashed }: AppBuild) =>
  crashed / Math.max(sessionCount, 1)
const isFailing = (build: AppBuild) => getFailingShare(build) > MAX_FAILING_SHARE
const findBuild = ({ builds }: Builds, id?: string | null) =>
  builds.find(({ build }) => build === id)

const isUnsigned = (remote: Builds, id?: string | null) => !!findBuild(remote, id)?.unsigned
/** Returns the reason why a build cannot be served again, or `undefined` if it can. */
export function getRollbackRefusal(remote: Builds, id?: string | null) {
  const build = findBuild(remote, id)
  if (!build?.kept) return '文件已清理，不能再启用'
  return build.unsigned ? '没有本站密钥的签名，不能启用' : undefined
}

/** Returns builds that fail in too many sessions and have a build to go back to: the regular one and the canary. */
export function findFailingBuilds(
  remote: Pick<AppRelease, 'build' | 'previous' | 'canary' | 'builds'>,
) {
  const currentBuild = findBuild(remote, remote.build)
  const previousBuild = findBuild(remote, remote.previous)
  const canaryBuild = findBuild(remote, remote.canary?.build)
  // A rollback does not help if the previous build failed as often.
  const isWorse =
    currentBuild &&
    (!previousBuild || getFailingShare(currentBuild) > getFailingShare(previousBuild))
  return [
    ...(currentBuild &&
    isWorse &&
    !getRollbackRefusal(remote, remote.previous) &&
    isFailing(currentBuild)
      ? [{ ...currentBuild, to: remote.previous! }]
      : []),
    ...(canaryBuild && isFailing(canaryBuild) ? [{ ...canaryBuild, to: remote.build! }] : []),
  ]
}

/** Shows the display name of a build, with the id in the tooltip for copying. */
export function Build({ remote, id }: { remote: Builds; id: string | null }) {
  if (!id) return emptyCell
  const published = getPublication(remote, id)
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
          {formatPageTime(published.time, 'MM-DD HH:mm')}{' '}
          {isUnsigned(remote, id) && <Tag color="error">没有签名</Tag>}
        </span>
        <Typography.Text type="secondary" ellipsis>
          {published.who} · {published.why}
        </Typography.Text>
      </Flex>
    </Tooltip>
  )
}

/** Marks a remote whose current build the host cannot run, with the reason on hover and focus. */
export const IncompatibleTag = ({ remote: { incompatibility } }: { remote: AppRelease }) =>
  incompatibility && (
    <Tooltip title={incompatibility}>
      <Tag color="error" tabIndex={0} style={{ alignSelf: 'flex-start' }}>
        不兼容
      </Tag>
    </Tooltip>
  )
