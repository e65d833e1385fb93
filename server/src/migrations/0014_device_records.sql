CREATE TABLE "device_firmware" (
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"module" text NOT NULL,
	"version" text DEFAULT '' NOT NULL,
	"step" integer,
	"description" text DEFAULT '' NOT NULL,
	"time" timestamp with time zone NOT NULL,
	CONSTRAINT "device_firmware_project_id_device_id_module_pk" PRIMARY KEY("project_id","device_id","module")
);
--> statement-breakpoint
CREATE TABLE "device_message" (
	"id" uuid NOT NULL,
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"direction" text NOT NULL,
	"topic" text NOT NULL,
	"payload" text NOT NULL,
	"time" timestamp with time zone NOT NULL,
	CONSTRAINT "device_message_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "device_shadow" (
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"state" jsonb NOT NULL,
	"metadata" jsonb NOT NULL,
	"version" bigint NOT NULL,
	"time" timestamp with time zone NOT NULL,
	CONSTRAINT "device_shadow_project_id_device_id_pk" PRIMARY KEY("project_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "device_tag" (
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	"time" timestamp with time zone NOT NULL,
	CONSTRAINT "device_tag_project_id_device_id_key_pk" PRIMARY KEY("project_id","device_id","key")
);
--> statement-breakpoint
CREATE TABLE "product_config" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"product_id" uuid NOT NULL,
	"enabled" boolean NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "product_config_productId_unique" UNIQUE("product_id")
);
--> statement-breakpoint
CREATE TABLE "product_credential" (
	"product_key" text PRIMARY KEY NOT NULL,
	"product_secret" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registration_record" (
	"id" uuid NOT NULL,
	"project_id" integer NOT NULL,
	"product_key" text NOT NULL,
	"device_name" text NOT NULL,
	"gateway_id" text DEFAULT '' NOT NULL,
	"way" text NOT NULL,
	"state" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"payload" jsonb,
	"count" integer DEFAULT 1 NOT NULL,
	"first_time" timestamp with time zone NOT NULL,
	"last_time" timestamp with time zone NOT NULL,
	CONSTRAINT "registration_record_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "registration_record_serial" UNIQUE("project_id","product_key","device_name","gateway_id")
);
--> statement-breakpoint
CREATE TABLE "registration_rule" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"product_id" uuid NOT NULL,
	"mode" text NOT NULL,
	"enabled" boolean NOT NULL,
	"project_id" integer NOT NULL,
	"name_template" text DEFAULT '{deviceName}' NOT NULL,
	"addresses" text[] DEFAULT '{}' NOT NULL,
	"expire_time" timestamp with time zone,
	"quota" integer,
	"approval" boolean DEFAULT false NOT NULL,
	CONSTRAINT "registration_rule_productId_unique" UNIQUE("product_id")
);
--> statement-breakpoint
ALTER TABLE "device" ADD COLUMN "slowed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "device_credential" ADD COLUMN "client_id" text;--> statement-breakpoint
ALTER TABLE "device_credential" ADD COLUMN "device_token" text;--> statement-breakpoint
ALTER TABLE "device_firmware" ADD CONSTRAINT "device_firmware_device" FOREIGN KEY ("project_id","device_id") REFERENCES "public"."device"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_shadow" ADD CONSTRAINT "device_shadow_device" FOREIGN KEY ("project_id","device_id") REFERENCES "public"."device"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_tag" ADD CONSTRAINT "device_tag_device" FOREIGN KEY ("project_id","device_id") REFERENCES "public"."device"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_config" ADD CONSTRAINT "product_config_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration_rule" ADD CONSTRAINT "registration_rule_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_message_device" ON "device_message" USING btree ("project_id","device_id","direction","id");--> statement-breakpoint
CREATE INDEX "device_message_time" ON "device_message" USING btree ("time");--> statement-breakpoint
CREATE INDEX "registration_record_time" ON "registration_record" USING btree ("project_id","last_time");