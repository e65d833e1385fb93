import Form from 'antd/es/form'
import { call } from '@iot/shared/client/call'
import { LampReplacement } from '@iot/shared/contract/control/energy.schema'
import { energyApi } from '@iot/shared/contract/control/energy.api'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { NumberInput } from '@iot/shared/ui/numberInput'
import { TextItem } from '@iot/shared/ui/items'

type ReplaceFormProps = {
  projectId: number
  ids: string[]
  onSaved: () => void
  onClose: () => void
}

/** Records that lamps were replaced, which resets their operating hours. */
export default function ReplaceForm({ projectId, ids, onSaved, onClose }: ReplaceFormProps) {
  return (
    <FormDialog<LampReplacement>
      title={`登记更换 ${ids.length} 盏灯`}
      schema={LampReplacement}
      initial={{ hours: 0, note: '' }}
      draft={`lampReplacement/${ids.length}/${ids[0]}`}
      to={energyApi.replace}
      send={(draft, _, options) => call(energyApi.replace, { projectId, ids, ...draft }, options)}
      words={{ ok: '登记', done: '已登记，累计亮灯从新灯算起' }}
      onSaved={onSaved}
      onClose={onClose}
    >
      <Form.Item {...field(LampReplacement, 'hours')} extra="新灯填 0；用过的灯填已经亮过的小时">
        <NumberInput style={{ width: '100%' }} placeholder="请输入已用小时" />
      </Form.Item>
      <TextItem of={LampReplacement} name="note" placeholder="如：换成新驱动" />
    </FormDialog>
  )
}
