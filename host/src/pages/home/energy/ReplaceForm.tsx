import Form from 'antd/es/form'
import { call } from '@iot/shared/client/call'
import { LampReplacement, type EnergyLamp } from '@iot/shared/contract/control/energy.schema'
import { energyApi } from '@iot/shared/contract/control/energy.api'
import type { RowResults } from '@iot/shared/contract/fields.schema'
import { useResultReport } from '@iot/shared/ui/batch/useResultReport'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { NumberInput } from '@iot/shared/ui/numberInput'
import { TextItem } from '@iot/shared/ui/items'

type ReplaceFormProps = {
  projectId: number
  lamps: EnergyLamp[]
  onSaved: () => void
  onClose: () => void
}

/** Records that lamps were replaced, which resets their operating hours. */
export default function ReplaceForm({ projectId, lamps, onSaved, onClose }: ReplaceFormProps) {
  const showResults = useResultReport()
  const ids = lamps.map(({ id }) => id)
  const seenTimes = Object.fromEntries(
    lamps.flatMap(({ id, replacedTime }) => (replacedTime ? [[id, replacedTime]] : [])),
  )
  return (
    <FormDialog<LampReplacement>
      title={`登记更换 ${ids.length} 盏灯`}
      schema={LampReplacement}
      initial={{ hours: 0, note: '' }}
      draft={`lampReplacement/${ids.length}/${ids[0]}`}
      to={energyApi.replace}
      send={(draft, _, options) =>
        call(energyApi.replace, { projectId, ids, seen: seenTimes, ...draft }, options)
      }
      words={{ ok: '登记', done: '已处理所选灯具，登记过的累计亮灯从新灯算起' }}
      onSaved={(rows) => {
        showResults('登记更换', rows as RowResults, true)
        onSaved()
      }}
      onClose={onClose}
    >
      <Form.Item {...field(LampReplacement, 'hours')} extra="新灯填 0；用过的灯填已经亮过的小时">
        <NumberInput style={{ width: '100%' }} placeholder="请输入已用小时" />
      </Form.Item>
      <TextItem of={LampReplacement} name="note" placeholder="如：换成新驱动" />
    </FormDialog>
  )
}
