import { DeleteOutlined } from '@ant-design/icons'
import { AutoComplete, Button, Card, Flex, Form, Input, Select } from 'antd'
import {
  confirmLevelText,
  ProductTypeDraft,
  TypeAction,
  type ConfirmLevel,
} from '@iot/shared/contract/productType'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import { field } from '@iot/shared/ui/field'
import { ValueField } from '../thingModel/ValueField'
import * as styles from './actions.module.css'

const wellKnown = [
  { value: 'all_on', label: 'all_on 全部打开' },
  { value: 'all_off', label: 'all_off 全部关闭' },
]
const confirmOptions = (Object.keys(confirmLevelText) as ConfirmLevel[]).map((value) => ({
  value,
  label: confirmLevelText[value],
}))

/** Edits the bulk actions of a product type; each one becomes a button. */
export function Actions({ models }: { models: ThingModel[] }) {
  const form = Form.useFormInstance()
  const known = new Map(
    models
      .flatMap(({ properties }) => properties)
      .filter(({ accessMode }) => accessMode !== 'r')
      .map((property) => [property.identifier, property]),
  )
  const functions = [...known.values()].map(({ identifier, name }) => ({
    value: identifier,
    label: `${name} ${identifier}`,
  }))
  const item = (at: number, name: keyof typeof TypeAction.shape) => ({
    ...field(TypeAction, name),
    name: [at, name],
  })

  return (
    <Form.List name="actions">
      {(rows, { add, remove }, { errors }) => (
        <Flex vertical gap={12}>
          {rows.map(({ key, name: at }) => (
            <Card key={key} size="small" role="group" aria-label={`批量动作 ${at + 1}`}>
              <div className={styles.fields}>
                <Form.Item {...item(at, 'actionType')}>
                  <AutoComplete options={wellKnown} placeholder="all_on" />
                </Form.Item>
                <Form.Item {...item(at, 'name')}>
                  <Input maxLength={8} placeholder="全开" />
                </Form.Item>
                <Form.Item {...item(at, 'identifier')}>
                  <AutoComplete
                    options={functions}
                    placeholder="PowerSwitch"
                    onSelect={() => form.setFieldValue(['actions', at, 'value'], undefined)}
                  />
                </Form.Item>
                <Form.Item
                  noStyle
                  shouldUpdate={(before: ProductTypeDraft, after: ProductTypeDraft) =>
                    before.actions?.[at]?.identifier !== after.actions?.[at]?.identifier
                  }
                >
                  {({ getFieldValue }) => (
                    <Form.Item {...item(at, 'value')}>
                      <ValueField
                        dataType={
                          known.get(getFieldValue(['actions', at, 'identifier']) as string)
                            ?.dataType
                        }
                      />
                    </Form.Item>
                  )}
                </Form.Item>
                <Form.Item {...item(at, 'confirm')}>
                  <Select options={confirmOptions} />
                </Form.Item>
                <Button
                  type="text"
                  danger
                  icon={<DeleteOutlined />}
                  aria-label={`删除批量动作 ${at + 1}`}
                  onClick={() => remove(at)}
                />
              </div>
            </Card>
          ))}
          <Button type="dashed" onClick={() => add({ confirm: 'ask' })}>
            添加批量动作
          </Button>
          <Form.ErrorList errors={errors} />
        </Flex>
      )}
    </Form.List>
  )
}
