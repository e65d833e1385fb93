import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import { formatShortTime } from '@iot/shared/client/zone'
import { call } from '@iot/shared/client/call'
import type { HoldOffNote } from '@iot/shared/contract/control/holdOffNote.schema'
import { holdApi } from '@iot/shared/contract/control/holdOffNote.api'
import { Card } from '@iot/shared/ui/card'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { Can } from '@iot/shared/ui/right'
import { NoteLine } from './NoteLine'
import * as styles from './noteLine.module.css'

type HoldOffNotesProps = {
  holds: HoldOffNote[]
  failed?: Error
  onChanged: () => void
}

/** Lists hold-off notes that this or the previous shift wants kept, and who has changed the lamps since. */
export default function HoldOffNotes({ holds, failed, onChanged }: HoldOffNotesProps) {
  return (
    <Card title="值班备注" bodyClass={styles.list}>
      {failed && <LoadErrorAlert why={failed.message} hasRows onRetry={onChanged} />}
      {holds.map((note) => (
        <HoldOffNoteLine key={note.id} hold={note} onChanged={onChanged} />
      ))}
    </Card>
  )
}

export function HoldOffNoteLine({ hold, onChanged }: { hold: HoldOffNote; onChanged: () => void }) {
  const { id, title, devices, unit, since, until, reason, createByName, overriddenBy } = hold
  const { run: endNote, loading } = useRequest(() => call(holdApi.end, { id }), {
    manual: true,
    // If another user has already ended the note, it is gone as well, so the list is refreshed either way.
    onFinally: onChanged,
    onError: () => {},
  })
  return (
    <NoteLine
      title={title}
      kind="值班备注"
      action={
        <Can to={holdApi.end}>
          <Button type="link" size="small" loading={loading} onClick={endNote}>
            解除
          </Button>
        </Can>
      }
    >
      <div className={styles.more}>
        {devices} {unit}，{formatShortTime(since)} 起
        {until ? `，有效到 ${formatShortTime(until)}` : '，直到手动解除'}
      </div>
      <div>
        {createByName}：{reason}
      </div>
      {overriddenBy.map((change) => (
        <div key={change.taskId} className={styles.changed}>
          {formatShortTime(change.createTime)} {change.createByName} 的“{change.title}”改动了其中{' '}
          {change.devices} {unit}
        </div>
      ))}
    </NoteLine>
  )
}
