import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Drawer from 'antd/es/drawer'
import Flex from 'antd/es/flex'
import Segmented from 'antd/es/segmented'
import Skeleton from 'antd/es/skeleton'
import Space from 'antd/es/space'
import Tag from 'antd/es/tag'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { errorSourceText, errorStatusText } from '@iot/shared/contract/platform/errorLog'
import { ErrorDetail, type ErrorStatus } from '@iot/shared/contract/platform/errorLog.schema'
import { errorLogApi } from '@iot/shared/contract/platform/errorLog.api'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import { formatValue } from '@iot/shared/ui/field'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { ignoreHandled } from '@iot/shared/ui/batch'

const detailFields = ['firstTime', 'lastTime', 'page', 'build', 'traceId', 'fingerprint'] as const
const copyableFields = new Set<string>(['traceId', 'fingerprint'])

type Props = { id: string; onMark: (status: ErrorStatus) => Promise<void>; onClose: () => void }

/** Shows one kind of error with the stack of its latest occurrence. */
export default function ErrorDrawer({ id, onMark, onClose }: Props) {
  const { data, error, refresh } = useRequest(() => call(errorLogApi.get, { id }, { inline: true }))
  const otherStatuses = (['done', 'ignored', 'open'] as const).filter(
    (status) => status !== data?.status,
  )
  return (
    <Drawer
      open
      title="错误详情"
      size={720}
      onClose={onClose}
      extra={
        <Space>
          {data &&
            otherStatuses.map((status) => (
              <Can key={status} to={errorLogApi.setStatus}>
                <Button onClick={() => void onMark(status).then(refresh).catch(ignoreHandled)}>
                  标为{errorStatusText[status]}
                </Button>
              </Can>
            ))}
        </Space>
      }
    >
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 8 }} />}
      {data && (
        <Flex vertical gap={16}>
          <Typography.Text strong style={{ overflowWrap: 'anywhere' }}>
            {data.message}
          </Typography.Text>
          <Flex gap={12} wrap align="center">
            <span>{errorStatusText[data.status]}</span>
            {data.returned && <Tag color="error">又出现了</Tag>}
            <span>{errorSourceText[data.source]}</span>
            <span>共 {data.count.toLocaleString('zh-CN')} 次</span>
          </Flex>
          <Descriptions
            size="small"
            column={1}
            items={detailFields.map((name) => ({
              key: name,
              label: getFieldTitle(ErrorDetail, name),
              children:
                copyableFields.has(name) && data[name] ? (
                  <Typography.Text code copyable style={{ overflowWrap: 'anywhere' }}>
                    {data[name]}
                  </Typography.Text>
                ) : (
                  formatValue(data[name])
                ),
            }))}
          />
          <ErrorStack errorDetail={data} />
        </Flex>
      )}
    </Drawer>
  )
}

const reportedStackLabel = '原文'
const stackViewOptions = [{ value: '', label: '还原到源码' }, reportedStackLabel]

/** Shows a stack. A browser stack is translated to source positions, with the reported text as an alternative. */
function ErrorStack({ errorDetail: { stack, decoded, undecoded } }: { errorDetail: ErrorDetail }) {
  const [stackView, setStackView] = useState('')
  return (
    <>
      <Flex justify="space-between" align="center" gap={12}>
        <Typography.Text type="secondary">{getFieldTitle(ErrorDetail, 'stack')}</Typography.Text>
        {decoded && (
          <Segmented
            size="small"
            options={stackViewOptions}
            value={stackView}
            onChange={setStackView}
          />
        )}
      </Flex>
      {undecoded && <Typography.Text type="secondary">未能还原到源码：{undecoded}</Typography.Text>}
      <pre
        tabIndex={0}
        style={{
          margin: 0,
          padding: 12,
          overflow: 'auto',
          flexShrink: 0,
          maxHeight: 400,
          fontSize: 12,
          background: 'var(--ant-color-fill-quaternary)',
          borderRadius: 'var(--ant-border-radius)',
        }}
      >
        {(stackView !== reportedStackLabel && decoded) || stack || '没有调用栈'}
      </pre>
    </>
  )
}
