import { useRequest } from 'ahooks'
import { Button, Modal, Table } from 'antd'
import { call } from '@iot/shared/client/call'
import { SessionRow } from '@iot/shared/contract/auth.schema'
import type { User } from '@iot/shared/contract/user.schema'
import { userApi } from '@iot/shared/contract/user.api'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { column } from '@iot/shared/ui/field'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'

export default function Sessions({ user, onClose }: { user: User; onClose: () => void }) {
  const { message } = useFeedback()
  const { data, error, loading, refresh } = useRequest(() =>
    call(userApi.sessions, { id: user.id }, { inline: true }),
  )
  const { run: kick, loading: isKicking } = useRequest(
    () =>
      call(userApi.kick, { id: user.id })
        .then(({ revoked }) => void message.success(`已下线 ${revoked} 个会话`))
        .catch(ignoreHandled),
    { manual: true, onSuccess: refresh },
  )

  return (
    <Modal
      open
      title={`“${user.name}”的登录会话`}
      width={720}
      onCancel={onClose}
      footer={
        <Can to={userApi.kick} unless={data?.length === 0 && '没有在线的会话'}>
          <Button danger loading={isKicking} onClick={kick}>
            全部踢下线
          </Button>
        </Can>
      }
    >
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table
        size="small"
        rowKey="id"
        loading={loading}
        dataSource={data}
        pagination={false}
        scroll={{ x: 660, y: 360 }}
        locale={buildEmptyLocale(data, '现在没有登录')}
        columns={[
          { ...column(SessionRow, 'device'), ellipsis: true },
          { ...column(SessionRow, 'address'), width: 150 },
          { ...column(SessionRow, 'createTime'), width: 180 },
          { ...column(SessionRow, 'lastSeen'), width: 180 },
        ]}
      />
    </Modal>
  )
}
