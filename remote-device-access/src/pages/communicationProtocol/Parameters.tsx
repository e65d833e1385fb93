import { DeleteOutlined } from '@ant-design/icons'
import { Button, Checkbox, Flex, Form, Input, Select } from 'antd'
import { Parameter, parameterTypeText } from '@iot/shared/contract/communicationProtocol'
import { optionsOf } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import * as styles from './parameters.module.css'

const types = optionsOf(parameterTypeText)
const blank: Partial<Parameter> = { type: 'text', required: true, default: '', secret: false }

/** Edits the parameters that each device needs for a protocol, one per line. */
export function Parameters() {
  const item = (at: number, name: keyof typeof Parameter.shape) => ({
    ...field(Parameter, name),
    name: [at, name],
  })
  return (
    <Form.List name="parameters">
      {(rows, { add, remove }, { errors }) => (
        <Flex vertical gap={4}>
          {rows.map(({ key, name: at }) => (
            <div key={key} className={styles.line} role="group" aria-label={`参数 ${at + 1}`}>
              <Form.Item {...item(at, 'key')}>
                <Input maxLength={64} placeholder="slave" />
              </Form.Item>
              <Form.Item {...item(at, 'label')}>
                <Input maxLength={32} placeholder="从站地址" />
              </Form.Item>
              <Form.Item {...item(at, 'type')}>
                <Select options={types} />
              </Form.Item>
              <Form.Item {...item(at, 'default')}>
                <Input maxLength={200} />
              </Form.Item>
              <Form.Item {...item(at, 'required')} valuePropName="checked">
                <Checkbox />
              </Form.Item>
              <Form.Item {...item(at, 'secret')} valuePropName="checked">
                <Checkbox />
              </Form.Item>
              <Button
                type="text"
                danger
                icon={<DeleteOutlined />}
                aria-label={`删除参数 ${at + 1}`}
                onClick={() => remove(at)}
              />
            </div>
          ))}
          <Button type="dashed" onClick={() => add(blank)}>
            添加参数
          </Button>
          <Form.ErrorList errors={errors} />
        </Flex>
      )}
    </Form.List>
  )
}
