import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Flex from 'antd/es/flex'
import Typography from 'antd/es/typography'
import { useEffect, useRef } from 'react'
import { call } from '@iot/shared/client/call'
import { backupApi } from '@iot/shared/contract/platform/backup.api'
import type { BackupOverview, BackupStep } from '@iot/shared/contract/platform/backup.schema'
import { verificationText } from '@iot/shared/contract/platform/backup'
import { formatBytes } from '@iot/shared/contract/bytes'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { formatValue } from '@iot/shared/ui/field'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { LoadingLines } from '@iot/shared/ui/waitingLines'
import { formatDuration } from './formatBackup'

const pollIntervalMs = 5000
const notSetUp = '没有设置备份目录（BACKUP_FOLDER）'

/** Shows how the backups stand, and starts one. */
export function BackupStatus({ onChanged }: { onChanged: () => void }) {
  const { message } = useFeedback()
  const { data, error, refresh } = useRequest(() => call(backupApi.overview, {}, { quiet: true }), {
    pollingInterval: pollIntervalMs,
    pollingWhenHidden: false,
  })
  // The list below is read again when a backup begins, goes on or ends.
  const mark = data && JSON.stringify([data.running, data.lastSuccess?.id, data.problem])
  const previousMark = useRef(mark)
  useEffect(() => {
    if (previousMark.current !== undefined && previousMark.current !== mark) onChanged()
    previousMark.current = mark
  }, [mark, onChanged])
  const start = useRequest(
    () =>
      call(backupApi.create, {})
        .then(() => (message.success('备份已开始'), refresh(), onChanged()))
        .catch(ignoreHandled),
    { manual: true },
  )
  const reason = data?.folder === null ? notSetUp : data?.running ? '备份正在进行' : false

  return (
    <>
      <Flex justify="space-between" align="center" gap={12} wrap>
        <Typography.Text strong>备份</Typography.Text>
        <Can to={backupApi.create} unless={reason}>
          <Button type="primary" loading={start.loading} onClick={start.run}>
            立即备份
          </Button>
        </Can>
      </Flex>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && !error && <LoadingLines lines={3} />}
      {data && <Overview overview={data} />}
    </>
  )
}

function Overview({ overview }: { overview: BackupOverview }) {
  const { folder, isEncrypted, keep, nextTime, running, lastSuccess, problem } = overview
  return (
    <>
      {folder === null && (
        <Alert
          role="status"
          type="warning"
          showIcon
          title="没有定时备份"
          description="在平台的设置中给出 BACKUP_FOLDER（最好在另一块磁盘上）并重新启动，平台每天备份一次。"
        />
      )}
      {problem && <Alert type="error" showIcon title={problem} />}
      <Descriptions
        size="small"
        column={{ xs: 1, sm: 2, lg: 3 }}
        items={[
          {
            key: 'last',
            label: '最近成功',
            children: lastSuccess ? formatValue(lastSuccess.startTime) : '还没有',
          },
          { key: 'size', label: '大小', children: formatOptionalBytes(lastSuccess?.bytes) },
          {
            key: 'duration',
            label: '用时',
            children: lastSuccess
              ? formatDuration(lastSuccess.startTime, lastSuccess.endTime)
              : '—',
          },
          {
            key: 'verified',
            label: '核对',
            children: lastSuccess ? verificationText[lastSuccess.verification] : '—',
          },
          {
            key: 'now',
            label: '现在',
            children: running ? describeStep(running.step) : '没有备份在进行',
          },
          { key: 'next', label: '下次', children: nextTime ? formatValue(nextTime) : '—' },
          ...(folder === null
            ? []
            : [
                {
                  key: 'folder',
                  label: '目录',
                  children: <span style={{ overflowWrap: 'anywhere' }}>{folder}</span>,
                },
                { key: 'keep', label: '保留', children: `定时和手动各 ${keep} 份` },
                { key: 'encrypted', label: '加密', children: isEncrypted ? '是' : '否' },
              ]),
        ]}
      />
    </>
  )
}

const describeStep = (step: BackupStep) => (step === 'writing' ? '正在写备份…' : '正在核对…')
const formatOptionalBytes = (bytes: number | null | undefined) =>
  typeof bytes === 'number' ? formatBytes(bytes) : '—'
