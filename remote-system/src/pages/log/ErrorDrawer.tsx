import { useRequest } from 'ahooks'
import {
  Button,
  Descriptions,
  Drawer,
  Flex,
  Segmented,
  Skeleton,
  Space,
  Tag,
  Typography,
} from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import {
  ErrorDetail,
  errorLogApi,
  errorSourceText,
  errorStatusText,
  type ErrorStatus,
} from '@iot/shared/contract/errorLog'
import { titleOf } from '@iot/shared/contract/titleOf'
import { shown } from '@iot/shared/ui/field'
import { Right } from '@iot/shared/ui/right'
import { FailedLine } from '@iot/shared/ui/usePage'

const told = ['firstTime', 'lastTime', 'page', 'build', 'traceId', 'fingerprint'] as const
const copied = new Set<string>(['traceId', 'fingerprint'])

type Props = { id: string; onMark: (status: ErrorStatus) => Promise<void>; onClose: () => void }

/** Shows one kind of error with the stack of its latest occurrence. */
export default function ErrorDrawer({ id, onMark, onClose }: Props) {
  const { data, error, refresh } = useRequest(() => call(errorLogApi.get, { id }, { inline: true }))
  const others = (['done', 'ignored', 'open'] as const).filter((status) => status !== data?.status)
  return (
    <Drawer
      open
      title="错误详情"
      size={720}
      onClose={onClose}
      extra={
        <Space>
          {data &&
            others.map((status) => (
              <Right key={status} to={errorLogApi.setStatus}>
                <Button onClick={() => void onMark(status).then(refresh)}>
                  标为{errorStatusText[status]}
                </Button>
              </Right>
            ))}
        </Space>
      }
    >
      {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
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
            items={told.map((name) => ({
              key: name,
              label: titleOf(ErrorDetail, name),
              children:
                copied.has(name) && data[name] ? (
                  <Typography.Text code copyable style={{ overflowWrap: 'anywhere' }}>
                    {data[name]}
                  </Typography.Text>
                ) : (
                  shown(data[name])
                ),
            }))}
          />
          <Stack of={data} />
        </Flex>
      )}
    </Drawer>
  )
}

const asReported = '原文'
const ways = [{ value: '', label: '还原到源码' }, asReported]

/** Shows a stack. A browser stack is translated to source positions, with the reported text as an alternative. */
function Stack({ of: { stack, decoded, undecoded } }: { of: ErrorDetail }) {
  const [way, setWay] = useState('')
  return (
    <>
      <Flex justify="space-between" align="center" gap={12}>
        <Typography.Text type="secondary">{titleOf(ErrorDetail, 'stack')}</Typography.Text>
        {decoded && <Segmented size="small" options={ways} value={way} onChange={setWay} />}
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
        {(way !== asReported && decoded) || stack || '没有调用栈'}
      </pre>
    </>
  )
}
