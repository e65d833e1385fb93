CREATE TABLE "scene_condition" (
	"project_id" integer NOT NULL,
	"scene_id" uuid NOT NULL,
	"trigger" integer NOT NULL,
	"since" timestamp with time zone,
	"fired" boolean NOT NULL,
	CONSTRAINT "scene_condition_project_id_scene_id_trigger_pk" PRIMARY KEY("project_id","scene_id","trigger")
);
--> statement-breakpoint
CREATE TABLE "scene_run" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" integer NOT NULL,
	"scene_id" uuid NOT NULL,
	"cause" text NOT NULL,
	"due_time" timestamp with time zone,
	"status" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"task_ids" uuid[] DEFAULT '{}' NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"done_time" timestamp with time zone,
	"claimed_by" uuid NOT NULL,
	"claim_time" timestamp with time zone NOT NULL,
	CONSTRAINT "scene_run_due" UNIQUE("project_id","scene_id","due_time")
);
--> statement-breakpoint
ALTER TABLE "scene" ADD COLUMN "status" text DEFAULT 'enabled' NOT NULL;--> statement-breakpoint
ALTER TABLE "scene" ADD COLUMN "order" text DEFAULT 'parallel' NOT NULL;--> statement-breakpoint
ALTER TABLE "scene" ADD COLUMN "triggers" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "scene" ADD COLUMN "calendar_id" uuid;--> statement-breakpoint
ALTER TABLE "scene" ADD COLUMN "day_mode" text DEFAULT 'ignore' NOT NULL;--> statement-breakpoint
ALTER TABLE "scene" ADD COLUMN "day_types" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "scene" ADD COLUMN "silence_minutes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "scene" ADD COLUMN "quiet_from" text;--> statement-breakpoint
ALTER TABLE "scene" ADD COLUMN "quiet_to" text;--> statement-breakpoint
ALTER TABLE "scene_action" ADD COLUMN "delay" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "scene_condition" ADD CONSTRAINT "scene_condition_project_id_scene_id_scene_project_id_id_fk" FOREIGN KEY ("project_id","scene_id") REFERENCES "public"."scene"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scene_run_scene" ON "scene_run" USING btree ("scene_id","id");--> statement-breakpoint
CREATE INDEX "scene_run_time" ON "scene_run" USING btree ("create_time");--> statement-breakpoint
CREATE INDEX "scene_id" ON "scene" USING btree ("id");