import RedoOutlined from '@ant-design/icons/RedoOutlined'
import UndoOutlined from '@ant-design/icons/UndoOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Space from 'antd/es/space'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { Can } from '@iot/shared/ui/right'
import { redo, undo } from './arrangement'
import type { ArrangementDraft } from './useArrangementDraft'
import type { useSavePositions } from './useSavePositions'
import * as styles from './placing.module.css'

type PlacingHeadProps = {
  place: string
  draft: ArrangementDraft
  saving: ReturnType<typeof useSavePositions>
  /** This number of devices would change their room; it is shown because the room must not change unnoticed. */
  roomChangeCount: number
  onLeave: () => void
}

/** Names the floor that is arranged, and undoes, saves or leaves. */
export function PlacingHead({ place, draft, saving, roomChangeCount, onLeave }: PlacingHeadProps) {
  const { arrangement, setArrangement, changes, isDirty } = draft
  return (
    <Flex className={styles.bar} gap={8} wrap align="center" justify="space-between">
      <Space wrap>
        <strong className={styles.title}>摆放设备：{place}</strong>
        <Space.Compact>
          <Button
            icon={<UndoOutlined />}
            aria-label="撤销"
            title="撤销（Ctrl Z）"
            disabled={arrangement.done.length === 0}
            onClick={() => setArrangement(undo)}
          />
          <Button
            icon={<RedoOutlined />}
            aria-label="重做"
            title="重做（Ctrl Shift Z）"
            disabled={arrangement.undone.length === 0}
            onClick={() => setArrangement(redo)}
          />
        </Space.Compact>
      </Space>
      <Space>
        {isDirty && (
          <span className={styles.hint}>
            {changes.length} 台未保存
            {roomChangeCount > 0 && `，其中 ${roomChangeCount} 台改归所在房间`}
          </span>
        )}
        <Button onClick={onLeave}>返回</Button>
        <Can to={managedDeviceApi.place} unless={!isDirty && '没有要保存的修改'}>
          <Button type="primary" loading={saving.isSaving} onClick={saving.save}>
            保存
          </Button>
        </Can>
      </Space>
    </Flex>
  )
}
