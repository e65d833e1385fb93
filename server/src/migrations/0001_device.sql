CREATE TABLE "control_ledger" (
	"project_id" integer NOT NULL,
	"task_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"state" text NOT NULL,
	"reason" text NOT NULL,
	"before" jsonb NOT NULL,
	"target" jsonb NOT NULL,
	"sent_time" timestamp with time zone,
	"done_time" timestamp with time zone,
	CONSTRAINT "control_ledger_project_id_task_id_device_id_pk" PRIMARY KEY("project_id","task_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "control_task" (
	"id" uuid NOT NULL,
	"project_id" integer NOT NULL,
	"title" text NOT NULL,
	"origin" text NOT NULL,
	"status" text NOT NULL,
	"counts" jsonb NOT NULL,
	"total" integer NOT NULL,
	"permission" text NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"done_time" timestamp with time zone,
	"source_id" uuid,
	CONSTRAINT "control_task_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "device" (
	"id" uuid NOT NULL,
	"project_id" integer NOT NULL,
	"product_id" uuid NOT NULL,
	"name" text NOT NULL,
	"device_name" text NOT NULL,
	"space_id" uuid,
	"floor_id" uuid,
	"gateway_id" uuid,
	"protected" boolean NOT NULL,
	"state" text NOT NULL,
	"x" double precision,
	"y" double precision,
	"reported" jsonb NOT NULL,
	"reported_time" timestamp with time zone,
	"online_time" timestamp with time zone,
	"address" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	CONSTRAINT "device_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "device_name" UNIQUE("project_id","product_id","device_name")
);
--> statement-breakpoint
CREATE TABLE "device_credential" (
	"product_key" text NOT NULL,
	"device_name" text NOT NULL,
	"device_secret" text NOT NULL,
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	CONSTRAINT "device_credential_product_key_device_name_pk" PRIMARY KEY("product_key","device_name")
);
--> statement-breakpoint
CREATE TABLE "device_event" (
	"id" uuid NOT NULL,
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"identifier" text NOT NULL,
	"type" text NOT NULL,
	"params" jsonb NOT NULL,
	"time" timestamp with time zone NOT NULL,
	CONSTRAINT "device_event_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "product" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"product_key" text NOT NULL,
	"name" text NOT NULL,
	"product_type" text NOT NULL,
	"node" text NOT NULL,
	"model" jsonb NOT NULL,
	"dynamic_register" boolean NOT NULL,
	CONSTRAINT "product_productKey_unique" UNIQUE("product_key")
);
--> statement-breakpoint
CREATE TABLE "scene" (
	"id" uuid NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"project_id" integer NOT NULL,
	"name" text NOT NULL,
	"icon" text NOT NULL,
	"sort" integer NOT NULL,
	CONSTRAINT "scene_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "scene_action" (
	"project_id" integer NOT NULL,
	"scene_id" uuid NOT NULL,
	"sort" integer NOT NULL,
	"product_type" text NOT NULL,
	"scope" jsonb NOT NULL,
	"values" jsonb NOT NULL,
	CONSTRAINT "scene_action_project_id_scene_id_sort_pk" PRIMARY KEY("project_id","scene_id","sort")
);
--> statement-breakpoint
CREATE TABLE "floor_plan" (
	"hash" text PRIMARY KEY NOT NULL,
	"svg" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "space" (
	"id" uuid NOT NULL,
	"project_id" integer NOT NULL,
	"parent_id" uuid,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"sort" integer NOT NULL,
	"plan_hash" text,
	"plan_width" integer,
	"plan_height" integer,
	CONSTRAINT "space_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
ALTER TABLE "device" ADD CONSTRAINT "device_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scene_action" ADD CONSTRAINT "scene_action_project_id_scene_id_scene_project_id_id_fk" FOREIGN KEY ("project_id","scene_id") REFERENCES "public"."scene"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "control_task_status" ON "control_task" USING btree ("status");--> statement-breakpoint
CREATE INDEX "device_floor" ON "device" USING btree ("project_id","floor_id");--> statement-breakpoint
CREATE INDEX "device_gateway" ON "device" USING btree ("project_id","gateway_id");--> statement-breakpoint
CREATE INDEX "device_event_time" ON "device_event" USING btree ("project_id","time");--> statement-breakpoint
CREATE INDEX "scene_project" ON "scene" USING btree ("project_id","sort");--> statement-breakpoint
CREATE INDEX "space_parent" ON "space" USING btree ("project_id","parent_id");