CREATE TABLE "project_number" (
	"id" integer PRIMARY KEY NOT NULL,
	"value" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_snapshot" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"project_id" integer NOT NULL,
	"name" text NOT NULL,
	"automatic" boolean NOT NULL,
	"space_count" integer NOT NULL,
	"device_count" integer NOT NULL,
	"scene_count" integer NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "row_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "code" text;--> statement-breakpoint
UPDATE "project" SET "code" = 'project-' || "id";--> statement-breakpoint
ALTER TABLE "project" ALTER COLUMN "code" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "type" text DEFAULT 'other' NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "area_code" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "longitude" double precision;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "latitude" double precision;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "area" double precision;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "manager" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "phone" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "calendar_id" uuid;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "status" text DEFAULT 'running' NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "create_by" text DEFAULT '系统' NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "create_time" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "update_by" text DEFAULT '系统' NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "update_time" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "project" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "space" ADD COLUMN "plan_file" text;--> statement-breakpoint
ALTER TABLE "space" ADD COLUMN "metres" double precision;--> statement-breakpoint
ALTER TABLE "space" ADD COLUMN "create_by" text DEFAULT '系统' NOT NULL;--> statement-breakpoint
ALTER TABLE "space" ADD COLUMN "create_time" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "space" ADD COLUMN "update_by" text DEFAULT '系统' NOT NULL;--> statement-breakpoint
ALTER TABLE "space" ADD COLUMN "update_time" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "space" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "project_snapshot_time" ON "project_snapshot" USING btree ("project_id","create_time","id");--> statement-breakpoint
CREATE UNIQUE INDEX "project_row" ON "project" USING btree ("row_id");--> statement-breakpoint
CREATE INDEX "space_id" ON "space" USING btree ("id");--> statement-breakpoint
ALTER TABLE "project" ADD CONSTRAINT "project_code_unique" UNIQUE("code");--> statement-breakpoint
ALTER TABLE "project" ADD CONSTRAINT "project_name" UNIQUE("group_name","name");