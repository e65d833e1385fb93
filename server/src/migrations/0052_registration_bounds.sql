CREATE TABLE "registration_dropped" (
	"project_id" integer NOT NULL,
	"product_key" text NOT NULL,
	"count" integer NOT NULL,
	"last_time" timestamp with time zone NOT NULL,
	CONSTRAINT "registration_dropped_project_id_product_key_pk" PRIMARY KEY("project_id","product_key")
);
--> statement-breakpoint
-- Their devices register with the one secret of the product already.
UPDATE "product" SET "auth_type" = 'productSecret' WHERE "node" <> 'sub' AND "id" IN (SELECT "product_id" FROM "registration_rule");
