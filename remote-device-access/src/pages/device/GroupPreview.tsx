import useRequest from 'ahooks/es/useRequest'
import Typography from 'antd/es/typography'
import { call } from '@iot/shared/client/call'
import type { GroupRule } from '@iot/shared/contract/device/deviceGroup.schema'
import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'

/** Shows the devices that currently match the group's rule. */
export function GroupPreview({ projectId, ...rule }: GroupRule & { projectId: number }) {
  const { productIds, spaceIds, tags } = rule
  const isEmpty = productIds.length + spaceIds.length + tags.length === 0
  const { data, error } = useRequest(
    () => call(deviceGroupApi.preview, { projectId, ...rule }, { quiet: true }),
    { ready: !isEmpty, refreshDeps: [projectId, JSON.stringify(rule)], debounceWait: 300 },
  )
  const hint = '产品、位置、标签要同时符合，每项里符合一个即可；控制时按当时符合的设备执行'
  if (isEmpty) return hint
  if (error)
    return <Typography.Text type="warning">现在有几台未知：{error.message}</Typography.Text>
  if (!data) return '正在计算…'
  const protectedText =
    data.protected > 0 ? `，其中受保护 ${data.protected} 台，批量控制不会动` : ''
  const deviceNames = `${data.names.join('、')}${data.total > data.names.length ? ' 等' : ''}`
  return (
    <span role="status">
      <strong>现在 {data.total} 台</strong>
      {protectedText}
      {data.total > 0 && `：${deviceNames}`}
      <br />
      {hint}
    </span>
  )
}
