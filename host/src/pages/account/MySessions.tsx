import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Popconfirm from 'antd/es/popconfirm'
import Skeleton from 'antd/es/skeleton'
import Space from 'antd/es/space'
import Tag from 'antd/es/tag'
import Typography from 'antd/es/typography'
import { call } from '@iot/shared/client/call'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { serverNow } from '@iot/shared/client/serverClock'
import { formatPageTime } from '@iot/shared/client/zone'
import { useFeedback } from '@iot/shared/ui/feedback'
import { RetryAlert } from '@iot/shared/ui/retryAlert'
import * as styles from './account.module.css'

const getYear = (time: string | number) => formatPageTime(time, 'YYYY')
const formatSessionTime = (time: string) =>
  formatPageTime(time, getYear(time) === getYear(serverNow()) ? 'MM-DD HH:mm' : 'YYYY-MM-DD HH:mm')

/** Lists the user's sessions; every session except this one can be ended. */
export function MySessions() {
  const { message } = useFeedback()
  const { data, error, loading, refresh } = useRequest(() =>
    call(authApi.sessions, {}, { quiet: true }),
  )
  const { run: revoke, loading: revoking } = useRequest(
    (id?: string) => call(authApi.revoke, { id }),
    {
      manual: true,
      onSuccess({ revoked }) {
        void message.success(`已下线 ${revoked} 个会话`)
        refresh()
      },
    },
  )
  // The current session comes first, followed by the others by last use.
  const sessions = data?.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || b.lastSeen.localeCompare(a.lastSeen),
  )
  const otherCount = sessions?.filter(({ current }) => !current).length ?? 0

  return (
    <>
      {error && <RetryAlert type="error" title={error.message} onRetry={refresh} />}
      {!data && loading && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {sessions?.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有会话" />
      )}
      {sessions?.map(({ id, device, address, createTime, lastSeen, current }) => (
        <Flex key={id} justify="space-between" align="center" gap={12} className={styles.row}>
          <div>
            <Space size={8}>
              <Typography.Text strong>{device}</Typography.Text>
              {current && <Tag color="success">本机</Tag>}
            </Space>
            <Typography.Paragraph type="secondary">
              {address}
              <br />
              登录于 {formatSessionTime(createTime)}，最近活动 {formatSessionTime(lastSeen)}
            </Typography.Paragraph>
          </div>
          {!current && (
            <Popconfirm
              title="下线这个会话？"
              description="那台设备须重新登录。"
              okText="下线"
              onConfirm={() => revoke(id)}
            >
              <Button type="text" danger disabled={revoking}>
                下线
              </Button>
            </Popconfirm>
          )}
        </Flex>
      ))}
      {otherCount > 0 && (
        <Popconfirm
          title={`下线其他 ${otherCount} 个会话？`}
          onConfirm={() => revoke()}
          okText="下线"
        >
          <Button danger loading={revoking} style={{ marginTop: 16 }}>
            下线其他会话
          </Button>
        </Popconfirm>
      )}
    </>
  )
}
