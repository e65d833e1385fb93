import PrinterOutlined from '@ant-design/icons/PrinterOutlined'
import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { useAtomValue } from 'jotai'
import { useId, useState } from 'react'
import { call } from '@iot/shared/client/call'
import { formatShortTime } from '@iot/shared/client/zone'
import { handoverApi } from '@iot/shared/contract/control/handover.api'
import type { Handover } from '@iot/shared/contract/control/handover.schema'
import { liveReloadAtom } from '@iot/shared/session/live'
import { userInfoAtom } from '@iot/shared/session/user'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { useTextDraft } from '@iot/shared/ui/useDraft'
import { usePolling } from '@iot/shared/ui/usePolling'
import { printHandover } from './printHandover'
import * as styles from './shift.module.css'

const ShiftTimesForm = lazyDialog(() => import('./ShiftTimesForm'))

/** The hand-over of a colleague appears after at most this time in ms. */
const pollIntervalMs = 15_000
const maxShownHandovers = 5

/** Hands over the shift, confirms the hand-over of a colleague, and lists the latest ones. */
export function HandoverSection({ projectId }: { projectId: number }) {
  const reload = useAtomValue(liveReloadAtom)
  const username = useAtomValue(userInfoAtom)?.username
  const [isEditingTimes, setEditingTimes] = useState(false)
  const { data, error, refresh } = usePolling(
    handoverApi.state,
    { projectId },
    { intervalMs: pollIntervalMs, refreshDeps: [reload] },
  )
  if (!data)
    return error && <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />
  const waiting = data.list.find(({ takenTime }) => takenTime === null)
  const { start, end } = data.shift
  return (
    <section aria-label="交接班">
      <Flex justify="space-between" align="center" gap={8} style={{ marginBottom: 8 }}>
        <span>
          当前班次 {formatShortTime(start)} – {formatShortTime(end)}
        </span>
        <Can to={handoverApi.setShifts}>
          <Button type="link" size="small" onClick={() => setEditingTimes(true)}>
            设置班次
          </Button>
        </Can>
      </Flex>
      {waiting && waiting.givenBy !== username ? (
        <TakeShift handover={waiting} onTaken={refresh} />
      ) : (
        <GiveShift key={waiting?.id} {...{ projectId, waiting }} onGiven={refresh} />
      )}
      <div className={styles.handovers}>
        {data.list.slice(0, maxShownHandovers).map((handover) => (
          <HandoverLine key={handover.id} handover={handover} />
        ))}
      </div>
      {isEditingTimes && (
        <ShiftTimesForm
          projectId={projectId}
          shifts={data.shifts}
          onSaved={refresh}
          onClose={() => setEditingTimes(false)}
        />
      )}
    </section>
  )
}

type GiveShiftProps = { projectId: number; waiting?: Handover; onGiven: () => void }

/**
 * Writes the note for the next shift; while nobody has confirmed it, it can be written again. The text is kept as a
 * draft, because the hand-over of a colleague takes the place of this form.
 */
function GiveShift({ projectId, waiting, onGiven }: GiveShiftProps) {
  const noteId = useId()
  const [note, setNote, discardNote] = useTextDraft(`handover/${projectId}`, waiting?.note)
  const waitingTime = waiting?.givenTime ?? null
  // The text began with the hand-over of this moment. After a refusal the list shows the newer one, which then counts.
  const [readTime, setReadTime] = useState<string | null | undefined>(waitingTime)
  const { run, loading } = useRequest(
    () =>
      call(handoverApi.give, {
        projectId,
        note,
        seenGivenTime: readTime === undefined ? waitingTime : readTime,
      }),
    {
      manual: true,
      onSuccess({ givenTime }) {
        setReadTime(givenTime)
        discardNote()
        onGiven()
      },
      onError() {
        setReadTime(undefined)
        onGiven()
      },
    },
  )
  return (
    <Form layout="vertical" onFinish={run}>
      <Form.Item
        label="交班说明"
        htmlFor={noteId}
        extra="未恢复的告警和手动保持会一并带给下一班"
        style={{ marginBottom: 8 }}
      >
        <Input.TextArea
          id={noteId}
          rows={2}
          count={{ show: true, max: 1000 }}
          value={note}
          placeholder="要下一班知道的事，可不填"
          onChange={({ target }) => setNote(target.value)}
        />
      </Form.Item>
      <Flex gap={8} align="center" wrap>
        <Can to={handoverApi.give}>
          <Button htmlType="submit" loading={loading}>
            {waiting ? '更新交班' : '交班'}
          </Button>
        </Can>
        {waiting && <span>{formatShortTime(waiting.givenTime)} 已交班，等另一位同事接班确认</span>}
      </Flex>
    </Form>
  )
}

type TakeShiftProps = { handover: Handover; onTaken: () => void }

/** Shows what a colleague hands over, to be confirmed. */
function TakeShift({ handover, onTaken }: TakeShiftProps) {
  const { id, projectId, note, givenByName, givenTime } = handover
  const { run, loading } = useRequest(
    () => call(handoverApi.take, { projectId, handoverId: id, givenTime }),
    { manual: true, onFinally: onTaken, onError: () => {} },
  )
  return (
    <Flex vertical gap={8} align="start" className={styles.waiting}>
      <strong>
        {givenByName} 于 {formatShortTime(givenTime)} 交班，等您接班
      </strong>
      {note && <div className={styles.handoverNote}>{note}</div>}
      <div className={styles.more}>{describeCarriedOver(handover)}</div>
      <Can to={handoverApi.take}>
        <Button type="primary" loading={loading} onClick={run}>
          接班确认
        </Button>
      </Can>
    </Flex>
  )
}

function HandoverLine({ handover }: { handover: Handover }) {
  const { shiftStart, shiftEnd, givenByName, takenByName, takenTime, note } = handover
  const title = `${formatShortTime(shiftStart)} – ${formatShortTime(shiftEnd)}`
  return (
    <article className={styles.device} aria-label={`交接班 ${title}`}>
      <div className={styles.line}>
        <span className={styles.what}>
          {title}：{givenByName} 交班，
          {takenTime ? `${takenByName} ${formatShortTime(takenTime)} 接班` : '待接班确认'}
        </span>
        <Button
          type="link"
          size="small"
          icon={<PrinterOutlined />}
          aria-label={`打印 ${title} 的交接班记录`}
          onClick={() => printHandover(handover)}
        >
          打印
        </Button>
      </div>
      <div className={styles.more}>{describeCarriedOver(handover)}</div>
      {note && <div className={styles.handoverNote}>{note}</div>}
    </article>
  )
}

const describeCarriedOver = ({ problemCount, overrides }: Handover) =>
  `未恢复的告警 ${problemCount}，手动保持 ${overrides.length}`
